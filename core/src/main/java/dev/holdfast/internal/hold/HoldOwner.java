package dev.holdfast.internal.hold;

import dev.holdfast.LeaseLoss;
import dev.holdfast.watchdog.KeptLease;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The owner of a hold: what ends its renewal, and how the owner is notified that it is at risk or lost. */
abstract sealed class HoldOwner {
    /** An owner id. Its lifetime is not known, and it is notified by the listeners alone. */
    private static final HoldOwner ID = new Id();

    private HoldOwner() {}

    /** @param interrupts whether a thread that owns the hold is interrupted when it is lost */
    static HoldOwner of(HoldRequest by, boolean interrupts) {
        Thread bound = by.boundThread();
        Ownership ownership = by.ownership();
        if (ownership == Ownership.HANDLE || ownership == Ownership.GROUP) {
            return new OfHandle(bound, ownership == Ownership.GROUP);
        }
        return bound == null ? ID : new OfThread(bound, interrupts);
    }

    /** The owner has accepted the hold. */
    void accepted() {}

    /** A further level was entered by a call that does not bind the hold to the owner's thread. */
    void unbind() {}

    /** The owner released the hold, or an exception reports its loss: the owner is not interrupted from now on. */
    void cancelInterrupt() {}

    /** The lease of this hold, which belongs to the owner, is at risk. */
    void atRisk(KeptLease lease) {}

    /** The hold is lost. */
    void lost() {}

    /** {@return whether it is a thread that has ended, and to which the hold is still bound} */
    boolean isDead() {
        return false;
    }

    /** {@return whether it is a handle that was collected} */
    boolean isDropped() {
        return false;
    }

    /** Logs a warning, once, if it is a handle that was collected; parameters as {@link LeaseRef#warnIfDropped}. */
    void warnIfDropped(String hold, long heldNanos, long remainingNanos) {}

    private static final class Id extends HoldOwner {}

    /** The thread that acquired the hold, for as long as each level was entered by a blocking call. */
    static final class OfThread extends HoldOwner {
        /** Null when the hold is not bound to it any more. */
        private volatile @Nullable Thread bound;

        private final @Nullable LossInterrupt interrupt;

        private OfThread(Thread thread, boolean interrupts) {
            this.bound = thread;
            this.interrupt = interrupts ? new LossInterrupt(thread) : null;
        }

        @Override
        void accepted() {
            if (interrupt != null) {
                interrupt.accepted();
            }
        }

        @Override
        void unbind() {
            bound = null;
            cancelInterrupt();
        }

        @Override
        void cancelInterrupt() {
            if (interrupt != null) {
                interrupt.cancel();
            }
        }

        @Override
        void lost() {
            if (interrupt != null) {
                interrupt.lost();
            }
        }

        @Override
        boolean isDead() {
            Thread owner = bound;
            return owner != null && !owner.isAlive();
        }
    }

    /**
     * A handle. It is referred to weakly, so that only the user's references keep it alive. One that a thread cannot
     * pass on ends with that thread.
     */
    static final class OfHandle extends HoldOwner {
        private final CompletableFuture<LeaseLoss> lossSignal = new CompletableFuture<>();

        /** Written once, on delivery. */
        private volatile @Nullable LeaseRef handle;

        /** What the thread that detects the loss runs; null for nothing. */
        private volatile @Nullable Runnable watcher;

        private final @Nullable Thread bound;

        /** Whether it stands for several owners, each of which has a hold of its own. */
        final boolean isGroup;

        private OfHandle(@Nullable Thread bound, boolean isGroup) {
            this.bound = bound;
            this.isGroup = isGroup;
        }

        void attach(LeaseRef lease) {
            handle = lease;
        }

        /** {@return completes with the loss} */
        CompletableFuture<LeaseLoss> lossSignal() {
            return lossSignal;
        }

        void watch(@Nullable Runnable onLost) {
            watcher = onLost;
        }

        @Override
        void atRisk(KeptLease lease) {
            LeaseRef held = handle;
            HoldHandle present = held == null ? null : held.get();
            if (present != null) {
                present.atRisk(lease);
            }
        }

        @Override
        void lost() {
            Runnable onLost = watcher;
            if (onLost != null) {
                onLost.run();
            }
        }

        @Override
        boolean isDead() {
            return bound != null && !bound.isAlive();
        }

        @Override
        boolean isDropped() {
            LeaseRef held = handle;
            return held != null && held.isDropped();
        }

        @Override
        void warnIfDropped(String hold, long heldNanos, long remainingNanos) {
            LeaseRef held = handle;
            if (held != null) {
                held.warnIfDropped(hold, heldNanos, remainingNanos);
            }
        }
    }
}

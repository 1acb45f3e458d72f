package dev.holdfast;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The handle of a hold. The hold knows it by a weak reference only: it ends with whoever has this. */
final class HeldLease implements Lease {
    private final Hold hold;
    private final Engine engine;

    /** How the release ends; null until it was begun. */
    private final AtomicReference<@Nullable CompletableFuture<@Nullable Void>> release = new AtomicReference<>();

    private HeldLease(Hold hold) {
        this.hold = hold;
        this.engine = hold.lane().engine();
    }

    static HeldLease of(Hold hold) {
        HeldLease lease = new HeldLease(hold);
        hold.ownedBy(lease);
        return lease;
    }

    @Override
    public String lockName() {
        return hold.lock().name();
    }

    @Override
    public boolean isValid() {
        return release.get() == null && hold.loss() == null && hold.isValid();
    }

    @Override
    public long fence() {
        if (!hold.lock().kind().isFenced()) {
            throw new UnsupportedOperationException("lock '" + hold.lock()
                    + "' is not fenced, so its leases have no token; take it by Holdfast.getFencedLock");
        }
        return hold.fence();
    }

    @Override
    public Duration remaining() {
        return isValid() ? Duration.ofNanos(hold.lease().remainingNanos()) : Duration.ZERO;
    }

    @Override
    public void extend(Duration lease) {
        LeaseRequest request = LeaseRequest.explicit(lease);
        if (release.get() != null) {
            throw engine.failures().notHeld(hold.lock(), hold.lane().ownerId());
        }
        engine.refuseOnIoThread();
        Waits.forResult(engine.extend(hold, request));
    }

    @Override
    public CompletionStage<LeaseLoss> lost() {
        return hold.lossSignal().minimalCompletionStage();
    }

    @Override
    public void close() {
        if (release.get() != null) {
            return;
        }
        engine.refuseOnIoThread();
        CompletableFuture<@Nullable Void> ours = new CompletableFuture<>();
        if (release.compareAndSet(null, ours)) {
            begin(ours);
            engine.releases().finish(ours);
        }
    }

    @Override
    public CompletableFuture<@Nullable Void> releaseAsync() {
        CompletableFuture<@Nullable Void> ours = new CompletableFuture<>();
        CompletableFuture<@Nullable Void> begun = release.compareAndExchange(null, ours);
        if (begun != null) {
            return engine.callbacks().forUsers(begun);
        }
        begin(ours);
        return engine.callbacks().forUsers(ours);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what the release fails with goes to the outcome
    private void begin(CompletableFuture<@Nullable Void> outcome) {
        engine.release(hold).whenComplete((done, failure) -> {
            if (failure == null) {
                outcome.complete(null);
            } else {
                outcome.completeExceptionally(failure);
            }
        });
    }

    /** {@return the owner's name, as the listener hears it and Redis has it} For tests. */
    String owner() {
        return engine.owners().name(hold.lane().ownerId());
    }

    @Override
    public String toString() {
        return hold.toString();
    }
}

package dev.holdfast.internal.view;

import dev.holdfast.DistributedLock;
import dev.holdfast.LeaseLoss;
import dev.holdfast.MultiLease;
import dev.holdfast.internal.acquire.PartAcquisition;
import dev.holdfast.internal.hold.DelayedClose;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.HoldHandle;
import dev.holdfast.internal.hold.LeaseRef;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.Release;
import dev.holdfast.internal.redis.Outage;
import dev.holdfast.internal.session.AcquireOrigin;
import dev.holdfast.internal.session.Arguments;
import dev.holdfast.internal.session.Blocking;
import dev.holdfast.internal.session.LockExceptions;
import dev.holdfast.internal.several.MultiHold;
import dev.holdfast.watchdog.KeptLease;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The handle of the holds of several locks. They refer to it weakly, as those of a {@link LeaseHandle} do.
 *
 * @see "MultiHoldTest, MultiLockLossTest"
 */
final class MultiHandle implements MultiLease, HoldHandle {
    private final ClientMultiLock lock;
    private final MultiHold hold;
    private final List<Consumer<Duration>> atRiskCallbacks = new CopyOnWriteArrayList<>();

    /** The risk for which the callbacks ran last; null if they have not. */
    private final AtomicReference<@Nullable Risk> lastRisk = new AtomicReference<>();

    /** The outcome of the release; null until the release has begun. */
    private final AtomicReference<@Nullable CompletableFuture<@Nullable Void>> release = new AtomicReference<>();

    /**
     * A member that is at risk.
     *
     * @param untilNanos until when it was valid then: it is valid for longer from its next renewal on
     */
    private record Risk(KeptLease member, long untilNanos) {
        static Risk of(KeptLease member) {
            return new Risk(member, member.validUntilNanos());
        }

        boolean lasts() {
            return member.validUntilNanos() == untilNanos;
        }
    }

    private MultiHandle(ClientMultiLock lock, MultiHold hold) {
        this.lock = lock;
        this.hold = hold;
    }

    /** {@return the handle of what was just granted, which records where it was acquired if that is given} */
    static MultiHandle of(ClientMultiLock lock, List<PartAcquisition> granted, @Nullable AcquireOrigin origin) {
        MultiHandle handle = new MultiHandle(lock, MultiHold.of(granted));
        handle.hold.members().forEach(member -> member.attachHandle(new LeaseRef(handle, origin)));
        return handle;
    }

    @Override
    public String name() {
        return String.join(", ", names());
    }

    @Override
    public List<String> names() {
        return lock.names();
    }

    @Override
    public boolean isValid() {
        return release.get() == null && hold.isValid();
    }

    @Override
    public long token() {
        throw new UnsupportedOperationException(
                "each fenced lock of a multi-lock has a token of its own; use token(lock)");
    }

    @Override
    public long token(DistributedLock member) {
        Hold held = hold.members().get(lock.place(member));
        if (!held.hasToken()) {
            throw new UnsupportedOperationException(
                    "lock '" + held.lock() + "' is not fenced, so it has no token; take it by Holdfast.getFencedLock");
        }
        return held.token();
    }

    /** {@return the name of the owner of one of the locks, as in events and in Redis} For tests. */
    String owner(DistributedLock member) {
        Hold held = hold.members().get(lock.place(member));
        return ((ClientLock) member).client().session().owners().name(held.ownerId());
    }

    @Override
    public Duration remaining() {
        if (!isValid()) {
            return Duration.ZERO;
        }
        return Duration.ofNanos(hold.members().stream()
                .mapToLong(member -> member.lease().remainingNanos())
                .min()
                .orElse(0));
    }

    @Override
    public void extend(Duration lease) {
        LeaseRequest request = LeaseRequest.explicit(lease);
        if (release.get() != null) {
            throw new IllegalMonitorStateException(lock + " is not held by this lease, which was closed");
        }
        lock.refuseOnIoThread();
        throwIfLost();
        Blocking.forResult(hold.extend(request));
    }

    /**
     * Asks Redis whether the locks are held, if that is in doubt or a lease is given. Throws the loss, if they are lost.
     *
     * @param lease explicit; null for none
     * @return completes when they are held, and have that lease
     */
    CompletableFuture<@Nullable Void> confirm(@Nullable LeaseRequest lease) {
        throwIfLost();
        return lease == null ? hold.confirm() : hold.extend(lease);
    }

    /** {@return the outage of a node of the locks; null if there is none} */
    @Nullable
    Outage outage() {
        return hold.outage();
    }

    /** Throws the loss, if the locks are lost. */
    void throwIfLost() {
        RuntimeException loss = hold.loss();
        if (loss != null) {
            throw LockExceptions.seenFromHere(loss);
        }
    }

    @Override
    public CompletionStage<LeaseLoss> lost() {
        return hold.lossSignal().minimalCompletionStage();
    }

    @Override
    public void onAtRisk(Consumer<Duration> action) {
        atRiskCallbacks.add(Objects.requireNonNull(action, "action must not be null"));
    }

    /**
     * Runs the callbacks for the first member that is at risk, and not for others before that one is safe again: one
     * outage concerns many of them.
     */
    @Override
    public void atRisk(KeptLease member) {
        Risk known = lastRisk.get();
        if ((known != null && known.lasts()) || !lastRisk.compareAndSet(known, Risk.of(member))) {
            return;
        }
        for (Consumer<Duration> action : atRiskCallbacks) {
            Runnable notification = () -> {
                Duration left = remaining();
                if (!left.isZero()) {
                    action.accept(left);
                }
            };
            lock.callbacks().run(notification);
        }
    }

    @Override
    public void close() {
        closeAfter(Duration.ZERO);
    }

    @Override
    public void closeAfter(Duration delay) {
        Arguments.closeDelay(delay);
        if (release.get() != null) {
            return;
        }
        lock.refuseOnIoThread();
        CompletableFuture<@Nullable Void> own = new CompletableFuture<>();
        if (release.compareAndSet(null, own)) {
            begin(delay, own);
            lock.finish(own);
        }
    }

    @Override
    public CompletableFuture<@Nullable Void> releaseAsync() {
        return closeAfterAsync(Duration.ZERO);
    }

    @Override
    public CompletableFuture<@Nullable Void> closeAfterAsync(Duration delay) {
        Arguments.closeDelay(delay);
        CompletableFuture<@Nullable Void> own = new CompletableFuture<>();
        CompletableFuture<@Nullable Void> begun = release.compareAndExchange(null, own);
        if (begun != null) {
            return lock.callbacks().forUsers(begun);
        }
        begin(delay, own);
        return lock.callbacks().forUsers(own);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a failure of the release goes to the outcome
    private void begin(Duration delay, CompletableFuture<@Nullable Void> outcome) {
        boolean atOnce = delay.isZero() || delay.isNegative();
        hold.end(member -> atOnce ? Release.begin(member) : DelayedClose.begin(member, delay))
                .whenComplete((done, failure) -> {
                    if (failure == null) {
                        outcome.complete(null);
                    } else {
                        outcome.completeExceptionally(failure);
                    }
                });
    }

    @Override
    public String toString() {
        return "lease of " + lock;
    }
}

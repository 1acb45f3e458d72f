package dev.holdfast;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The handle of a hold. The hold refers to it weakly, and is not renewed any more once the user has dropped it. */
final class LeaseHandle implements Lease {
    private final Hold hold;
    private final Engine engine;

    /** The outcome of the release; null until the release has begun. */
    private final AtomicReference<@Nullable CompletableFuture<@Nullable Void>> release = new AtomicReference<>();

    /**
     * The callbacks to run when the lease is at risk; null while there are none. They are kept here and not in the
     * hold, since a callback may refer to the lease and would keep it from being collected. Guarded by this.
     */
    private @Nullable List<Consumer<Duration>> toldAtRisk;

    private LeaseHandle(Hold hold) {
        this.hold = hold;
        this.engine = hold.lane().engine();
    }

    /** {@return the handle of a hold that was just granted, which records where it was acquired if that is given} */
    static LeaseHandle of(Hold hold, LeakTracking.@Nullable Origin origin) {
        LeaseHandle lease = new LeaseHandle(hold);
        hold.attachHandle(new LeaseRef(lease, origin));
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
    public long token() {
        if (!hold.lock().kind().isFenced()) {
            throw new UnsupportedOperationException("lock '" + hold.lock()
                    + "' is not fenced, so its leases have no token; take it by Holdfast.getFencedLock");
        }
        return hold.token();
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
        Blocking.forResult(engine.extend(hold, request));
    }

    @Override
    public CompletionStage<LeaseLoss> lost() {
        return hold.lossSignal().minimalCompletionStage();
    }

    @Override
    public synchronized void onAtRisk(Consumer<Duration> action) {
        Objects.requireNonNull(action, "action must not be null");
        List<Consumer<Duration>> all = toldAtRisk == null ? new ArrayList<>(1) : new ArrayList<>(toldAtRisk);
        all.add(action);
        toldAtRisk = all;
    }

    /**
     * Runs the callbacks on the callback executor; on a thread of the client if the executor rejects them, as for a
     * loss.
     */
    void atRisk() {
        List<Consumer<Duration>> all;
        synchronized (this) {
            all = toldAtRisk == null ? List.of() : toldAtRisk;
        }
        for (Consumer<Duration> action : all) {
            Runnable telling = () -> {
                Duration left = remaining();
                if (!left.isZero()) {
                    action.accept(left);
                }
            };
            engine.callbacks().run(telling, why -> telling.run());
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
        engine.refuseOnIoThread();
        CompletableFuture<@Nullable Void> own = new CompletableFuture<>();
        if (release.compareAndSet(null, own)) {
            begin(delay, own);
            engine.releases().finish(own);
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
            return engine.callbacks().forUsers(begun);
        }
        begin(delay, own);
        return engine.callbacks().forUsers(own);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a failure of the release goes to the outcome
    private void begin(Duration delay, CompletableFuture<@Nullable Void> outcome) {
        boolean atOnce = delay.isZero() || delay.isNegative();
        CompletableFuture<@Nullable Void> begun = atOnce ? engine.release(hold) : DelayedClose.begin(hold, delay);
        begun.whenComplete((done, failure) -> {
            if (failure == null) {
                outcome.complete(null);
            } else {
                outcome.completeExceptionally(failure);
            }
        });
    }

    /** {@return the owner's name, as in events and in Redis} For tests. */
    String owner() {
        return engine.owners().name(hold.lane().ownerId());
    }

    @Override
    public String toString() {
        return hold.toString();
    }
}

package dev.holdfast.internal.view;

import dev.holdfast.Lease;
import dev.holdfast.LeaseLoss;
import dev.holdfast.internal.client.Client;
import dev.holdfast.internal.hold.DelayedClose;
import dev.holdfast.internal.hold.Extension;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.HoldHandle;
import dev.holdfast.internal.hold.LeaseRef;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.Release;
import dev.holdfast.internal.session.AcquireOrigin;
import dev.holdfast.internal.session.Arguments;
import dev.holdfast.internal.session.Blocking;
import dev.holdfast.watchdog.KeptLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The handle of a hold. The hold refers to it weakly, and is not renewed any more once the user has dropped it.
 *
 * @see "LeaseTest, AtRiskTest"
 */
public sealed class LeaseHandle implements Lease, HoldHandle permits SegmentHandle, PermitsHandle {
    private final Hold hold;
    private final Client client;

    /** The outcome of the release; null until the release has begun. */
    private final AtomicReference<@Nullable CompletableFuture<@Nullable Void>> release = new AtomicReference<>();

    /**
     * The callbacks to run when the lease is at risk; null while there are none. They are kept here and not in the
     * hold, since a callback may refer to the lease and would keep it from being collected. Guarded by this.
     */
    private @Nullable List<Consumer<Duration>> atRiskCallbacks;

    LeaseHandle(Client client, Hold hold) {
        this.client = client;
        this.hold = hold;
    }

    /** {@return the handle of a hold that was just granted, which records where it was acquired if that is given} */
    static LeaseHandle of(Client client, Hold hold, @Nullable AcquireOrigin origin) {
        return attached(new LeaseHandle(client, hold), origin);
    }

    /** {@return the handle, to which its hold refers from now on} */
    static <H extends LeaseHandle> H attached(H lease, @Nullable AcquireOrigin origin) {
        LeaseHandle handle = lease;
        handle.hold.attachHandle(new LeaseRef(lease, origin));
        return lease;
    }

    @Override
    public String name() {
        return hold.lock().name();
    }

    @Override
    public boolean isValid() {
        return release.get() == null && hold.loss() == null && hold.isValid();
    }

    @Override
    public long token() {
        if (!hold.hasToken()) {
            throw new UnsupportedOperationException(hold.lock().subject()
                    + " is not fenced, so its leases have no token; take it by Holdfast.getFencedLock");
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
            throw client.session().exceptions().notHeld(hold.lock(), hold.ownerId());
        }
        client.refuseOnIoThread();
        Blocking.forResult(Extension.begin(hold, request));
    }

    @Override
    public CompletionStage<LeaseLoss> lost() {
        return hold.lossSignal().minimalCompletionStage();
    }

    @Override
    public synchronized void onAtRisk(Consumer<Duration> action) {
        Objects.requireNonNull(action, "action must not be null");
        List<Consumer<Duration>> all = atRiskCallbacks == null ? new ArrayList<>(1) : new ArrayList<>(atRiskCallbacks);
        all.add(action);
        atRiskCallbacks = all;
    }

    /** Runs the callbacks on the callback executor. */
    @Override
    public void atRisk(KeptLease atRisk) {
        List<Consumer<Duration>> all;
        synchronized (this) {
            all = atRiskCallbacks == null ? List.of() : atRiskCallbacks;
        }
        for (Consumer<Duration> action : all) {
            Runnable notification = () -> {
                Duration left = remaining();
                if (!left.isZero()) {
                    action.accept(left);
                }
            };
            client.session().callbacks().run(notification);
        }
    }

    @Override
    public void close() {
        closeAfter(Duration.ZERO);
    }

    @Override
    public void closeAfter(Duration delay) {
        requireClosable(delay);
        if (release.get() != null) {
            return;
        }
        client.refuseOnIoThread();
        CompletableFuture<@Nullable Void> own = new CompletableFuture<>();
        if (release.compareAndSet(null, own)) {
            begin(delay, own);
            client.holds().finish(own);
        }
    }

    @Override
    public CompletableFuture<@Nullable Void> releaseAsync() {
        return closeAfterAsync(Duration.ZERO);
    }

    @Override
    public CompletableFuture<@Nullable Void> closeAfterAsync(Duration delay) {
        requireClosable(delay);
        CompletableFuture<@Nullable Void> own = new CompletableFuture<>();
        CompletableFuture<@Nullable Void> begun = release.compareAndExchange(null, own);
        if (begun != null) {
            return client.session().callbacks().forUsers(begun);
        }
        begin(delay, own);
        return client.session().callbacks().forUsers(own);
    }

    Hold hold() {
        return hold;
    }

    Client client() {
        return client;
    }

    /**
     * Releases the hold in this way, which has another one take its place. The lease counts as closed from now on.
     *
     * @return fails if this fails, or the lease was closed before
     */
    CompletableFuture<@Nullable Void> downgrade(Supplier<CompletableFuture<@Nullable Void>> released) {
        CompletableFuture<@Nullable Void> own = new CompletableFuture<>();
        if (!release.compareAndSet(null, own)) {
            return CompletableFuture.failedFuture(client.session().exceptions().notHeld(hold.lock(), hold.ownerId()));
        }
        return completing(own, released.get());
    }

    private void requireClosable(Duration delay) {
        Arguments.closeDelay(delay);
        if (isDelay(delay) && hold.shared() != null) {
            throw new UnsupportedOperationException(
                    "lock '" + hold.lock() + "' cannot be kept busy after its close, since others may hold it");
        }
    }

    private static boolean isDelay(Duration delay) {
        return !delay.isZero() && !delay.isNegative();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // that is the outcome
    private void begin(Duration delay, CompletableFuture<@Nullable Void> outcome) {
        CompletableFuture<@Nullable Void> begun =
                isDelay(delay) ? DelayedClose.begin(hold, delay) : Release.begin(hold);
        completing(outcome, begun);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a failure of the release goes to the outcome
    private static CompletableFuture<@Nullable Void> completing(
            CompletableFuture<@Nullable Void> outcome, CompletableFuture<@Nullable Void> begun) {
        begun.whenComplete((done, failure) -> {
            if (failure == null) {
                outcome.complete(null);
            } else {
                outcome.completeExceptionally(failure);
            }
        });
        return outcome;
    }

    /** {@return the owner's name, as in events and in Redis} For tests. */
    public String owner() {
        return client.session().owners().name(hold.ownerId());
    }

    @Override
    public String toString() {
        return hold.toString();
    }
}

package dev.holdfast.internal.view;

import dev.holdfast.Lease;
import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.acquire.FutureAcquisition;
import dev.holdfast.internal.client.Client;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.session.AcquireOrigin;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The calls that acquire a lock, or permits, for a handle.
 *
 * @param <L> the handle
 */
final class HandleCalls<L extends Lease> {
    /** Makes a handle. */
    interface Maker<L> {
        /**
         * {@return the handle of this hold, which was just granted}
         *
         * @param amount how much of the lock it has
         * @param origin where it was acquired, if that is recorded
         */
        L of(Hold granted, int amount, @Nullable AcquireOrigin origin);
    }

    private final Client client;
    private final LockKey key;
    private final Maker<L> maker;

    HandleCalls(Client client, LockKey key, Maker<L> maker) {
        this.client = client;
        this.key = key;
        this.maker = maker;
    }

    L acquire(LeaseRequest lease, int amount) {
        return client.await(request(lease, AcquireRequest.FOR_EVER, amount), onGrant(amount));
    }

    L acquireInterruptibly(LeaseRequest lease, int amount) throws InterruptedException {
        return client.awaitInterruptibly(request(lease, AcquireRequest.FOR_EVER, amount), onGrant(amount));
    }

    /** Does not wait. */
    Optional<L> tryOnce(LeaseRequest lease, int amount) {
        return Optional.ofNullable(client.tryOnce(request(lease, 0, amount), onGrant(amount)));
    }

    Optional<L> tryAcquire(LeaseRequest lease, Duration wait, int amount) throws InterruptedException {
        return Optional.ofNullable(client.tryInterruptibly(request(lease, wait.toNanos(), amount), onGrant(amount)));
    }

    CompletableFuture<L> acquireAsync(LeaseRequest lease, int amount) {
        @Nullable AcquireOrigin origin = client.session().origin();
        return new FutureAcquisition<L>(
                        client.acquisitions(),
                        request(lease, AcquireRequest.FOR_EVER, amount),
                        hold -> maker.of(hold, amount, origin),
                        () -> {
                            throw AcquireRequest.neverRefused();
                        })
                .begin();
    }

    CompletableFuture<Optional<L>> tryAcquireAsync(LeaseRequest lease, Duration wait, int amount) {
        @Nullable AcquireOrigin origin = client.session().origin();
        return new FutureAcquisition<Optional<L>>(
                        client.acquisitions(),
                        request(lease, wait.toNanos(), amount),
                        hold -> Optional.of(maker.of(hold, amount, origin)),
                        Optional::empty)
                .begin();
    }

    /** {@return what makes the handle of a blocking call, on its thread} It exists before the call begins, and may not fail after that. */
    private Function<Hold, L> onGrant(int amount) {
        return hold -> maker.of(hold, amount, client.session().origin());
    }

    private AcquireRequest request(LeaseRequest lease, long waitNanos, int amount) {
        return new AcquireRequest(
                key,
                client.session().owners().newHandleId(),
                Ownership.HANDLE,
                lease,
                waitNanos,
                waitNanos > 0,
                amount);
    }
}

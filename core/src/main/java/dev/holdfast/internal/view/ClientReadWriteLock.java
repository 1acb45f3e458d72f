package dev.holdfast.internal.view;

import dev.holdfast.DistributedLock;
import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.Lease;
import dev.holdfast.LockInfo;
import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.acquire.Acquisition;
import dev.holdfast.internal.acquire.BlockingAcquisition;
import dev.holdfast.internal.acquire.CallerFuture;
import dev.holdfast.internal.acquire.FutureAcquisition;
import dev.holdfast.internal.client.Client;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.session.AcquireOrigin;
import dev.holdfast.internal.session.Blocking;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The view of a read-write lock in one client: two locks that have a key in common.
 *
 * @see "ReadWriteLockTest, DowngradeTest"
 */
final class ClientReadWriteLock implements DistributedReadWriteLock {
    private final ConnectedClient connected;
    private final Client client;
    private final ClientLock readLock;
    private final ClientLock writeLock;

    ClientReadWriteLock(ConnectedClient connected, ClientLock readLock, ClientLock writeLock) {
        this.connected = connected;
        this.client = connected.client();
        this.readLock = readLock;
        this.writeLock = writeLock;
    }

    @Override
    public String name() {
        return writeLock.name();
    }

    @Override
    public DistributedLock readLock() {
        return readLock;
    }

    @Override
    public DistributedLock writeLock() {
        return writeLock;
    }

    // --- Downgrade.

    @Override
    public Lease downgrade(Lease write) {
        LeaseHandle handle = required(write);
        client.refuseOnIoThread();
        BlockingAcquisition reader = new BlockingAcquisition(client.acquisitions(), request(handle.hold()));
        Blocking.forResult(handle.downgrade(() -> released(handle.hold(), reader)));
        Lease granted = client.acquisitions()
                .begin(reader)
                .await(hold -> LeaseHandle.of(client, hold, client.session().origin()));
        if (granted == null) {
            throw AcquireRequest.neverRefused();
        }
        return granted;
    }

    /** A lease that its caller does not receive, having completed the future itself, is released. */
    @Override
    @SuppressWarnings(
            "FutureReturnValueIgnored") // every outcome is processed; a lease without a caller is just released
    public CompletableFuture<Lease> downgradeAsync(Lease write) {
        LeaseHandle handle = required(write);
        @Nullable AcquireOrigin origin = client.session().origin();
        FutureAcquisition<Lease> reader = new FutureAcquisition<>(
                client.acquisitions(), request(handle.hold()), hold -> LeaseHandle.of(client, hold, origin), () -> {
                    throw AcquireRequest.neverRefused();
                });
        CallerFuture<Lease> future = new CallerFuture<>() {
            @Override
            protected void onCallerCompletes() {}
        };
        handle.downgrade(() -> released(handle.hold(), reader))
                .thenCompose(released -> reader.begin())
                .whenComplete((lease, failure) -> {
                    if (!future.decide()) {
                        if (lease != null) {
                            lease.releaseAsync();
                        }
                    } else if (failure == null) {
                        future.completeByClient(lease);
                    } else {
                        Throwable why = causeOf(failure);
                        client.session().callbacks().run(() -> future.failByClient(why));
                    }
                });
        return future;
    }

    private static Throwable causeOf(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    private LeaseHandle required(Lease write) {
        Objects.requireNonNull(write, "lease must not be null");
        if (write instanceof LeaseHandle handle
                && handle.client() == client
                && handle.hold().lock().equals(writeLock.key())) {
            return handle;
        }
        throw new IllegalArgumentException("only a lease of " + writeLock + " can be downgraded, was " + write);
    }

    /** {@return the request of the read lease: it is renewed if that of the write lock is, or lasts for what is left of it} */
    private AcquireRequest request(Hold writing) {
        return new AcquireRequest(
                readLock.key(),
                client.session().owners().newHandleId(),
                Ownership.HANDLE,
                client.holds().restOf(writing),
                AcquireRequest.FOR_EVER);
    }

    private CompletableFuture<@Nullable Void> released(Hold writing, Acquisition reader) {
        return client.acquisitions().readers().downgrade(writing, reader);
    }

    // --- Inspecting.

    @Override
    public LockInfo inspect() {
        client.refuseOnIoThread();
        return Blocking.forResult(connected.inspector().inspectAllSides(writeLock.key()));
    }

    @Override
    public CompletableFuture<LockInfo> inspectAsync() {
        return client.session().callbacks().forUsers(connected.inspector().inspectAllSides(writeLock.key()));
    }

    @Override
    public boolean forceUnlock() {
        return writeLock.forceUnlock();
    }

    @Override
    public CompletableFuture<Boolean> forceUnlockAsync() {
        return writeLock.forceUnlockAsync();
    }

    @Override
    public String toString() {
        return "DistributedReadWriteLock[" + name() + "]";
    }
}

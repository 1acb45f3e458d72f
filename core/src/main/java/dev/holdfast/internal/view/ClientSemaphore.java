package dev.holdfast.internal.view;

import dev.holdfast.DistributedSemaphore;
import dev.holdfast.Permits;
import dev.holdfast.SemaphoreInfo;
import dev.holdfast.internal.client.Client;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.session.Arguments;
import dev.holdfast.internal.session.Blocking;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** The view of a semaphore in one client: validates arguments, and delegates the rest. */
final class ClientSemaphore implements DistributedSemaphore {
    private final ConnectedClient connected;
    private final Client client;
    private final LockKey key;
    private final HandleCalls<Permits> handles;

    ClientSemaphore(ConnectedClient connected, LockKey key) {
        this.connected = connected;
        this.client = connected.client();
        this.key = key;
        this.handles = new HandleCalls<>(
                client, key, (granted, permits, origin) -> PermitsHandle.of(client, granted, permits, origin));
    }

    private LeaseRequest watchedLease() {
        return client.holds().watchedLease();
    }

    private int requested(int permits) {
        return Arguments.permits(permits, key.limit());
    }

    @Override
    public String name() {
        return key.name();
    }

    @Override
    public int permits() {
        return key.limit();
    }

    // --- Blocking.

    @Override
    public Permits acquire() {
        return acquire(1);
    }

    @Override
    public Permits acquire(int permits) {
        return handles.acquire(watchedLease(), requested(permits));
    }

    @Override
    public Permits acquire(int permits, Duration lease) {
        return handles.acquire(LeaseRequest.explicit(lease), requested(permits));
    }

    @Override
    public Permits acquireInterruptibly() throws InterruptedException {
        return acquireInterruptibly(1);
    }

    @Override
    public Permits acquireInterruptibly(int permits) throws InterruptedException {
        return handles.acquireInterruptibly(watchedLease(), requested(permits));
    }

    @Override
    public Permits acquireInterruptibly(int permits, Duration lease) throws InterruptedException {
        return handles.acquireInterruptibly(LeaseRequest.explicit(lease), requested(permits));
    }

    @Override
    public Optional<Permits> tryAcquire() {
        return tryAcquire(1);
    }

    @Override
    public Optional<Permits> tryAcquire(int permits) {
        return handles.tryOnce(watchedLease(), requested(permits));
    }

    @Override
    public Optional<Permits> tryAcquire(int permits, Duration wait) throws InterruptedException {
        return handles.tryAcquire(watchedLease(), Arguments.wait(wait), requested(permits));
    }

    @Override
    public Optional<Permits> tryAcquire(int permits, Duration wait, Duration lease) throws InterruptedException {
        return handles.tryAcquire(LeaseRequest.explicit(lease), Arguments.wait(wait), requested(permits));
    }

    // --- Async.

    @Override
    public CompletableFuture<Permits> acquireAsync() {
        return acquireAsync(1);
    }

    @Override
    public CompletableFuture<Permits> acquireAsync(int permits) {
        return handles.acquireAsync(watchedLease(), requested(permits));
    }

    @Override
    public CompletableFuture<Permits> acquireAsync(int permits, Duration lease) {
        return handles.acquireAsync(LeaseRequest.explicit(lease), requested(permits));
    }

    @Override
    public CompletableFuture<Optional<Permits>> tryAcquireAsync(int permits, Duration wait) {
        return handles.tryAcquireAsync(watchedLease(), Arguments.wait(wait), requested(permits));
    }

    @Override
    public CompletableFuture<Optional<Permits>> tryAcquireAsync(int permits, Duration wait, Duration lease) {
        return handles.tryAcquireAsync(LeaseRequest.explicit(lease), Arguments.wait(wait), requested(permits));
    }

    // --- Around a body.

    @Override
    public void runPermitted(Runnable body) {
        LockedBody.run(() -> acquire()::close, Objects.requireNonNull(body, "body must not be null"));
    }

    @Override
    public <T> T callPermitted(Callable<T> body) throws Exception {
        return LockedBody.call(() -> acquire()::close, Objects.requireNonNull(body, "body must not be null"));
    }

    // --- Inspecting.

    @Override
    public int availablePermits() {
        client.refuseOnIoThread();
        return Blocking.forResult(available());
    }

    @Override
    public CompletableFuture<Integer> availablePermitsAsync() {
        return client.session().callbacks().forUsers(available());
    }

    private CompletableFuture<Integer> available() {
        return connected.inspector().readSemaphore(key).thenApply(seen -> Math.max(0, key.limit() - seen.held()));
    }

    @Override
    public SemaphoreInfo inspect() {
        client.refuseOnIoThread();
        return Blocking.forResult(connected.inspector().readSemaphore(key));
    }

    @Override
    public CompletableFuture<SemaphoreInfo> inspectAsync() {
        return client.session().callbacks().forUsers(connected.inspector().readSemaphore(key));
    }

    @Override
    public boolean forceRelease(String owner) {
        client.refuseOnIoThread();
        return Blocking.forResult(forced(owner));
    }

    @Override
    public CompletableFuture<Boolean> forceReleaseAsync(String owner) {
        return client.session().callbacks().forUsers(forced(owner));
    }

    private CompletableFuture<Boolean> forced(String owner) {
        return connected.inspector().forceRelease(key, Objects.requireNonNull(owner, "owner must not be null"));
    }

    @Override
    public String toString() {
        return "DistributedSemaphore[" + key + ", permits=" + key.limit() + "]";
    }
}

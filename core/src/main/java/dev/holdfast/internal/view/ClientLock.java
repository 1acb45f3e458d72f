package dev.holdfast.internal.view;

import dev.holdfast.DistributedLock;
import dev.holdfast.Lease;
import dev.holdfast.LockInfo;
import dev.holdfast.LockType;
import dev.holdfast.OwnedLock;
import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.client.Client;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.LocalLocks;
import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.session.Arguments;
import dev.holdfast.internal.session.Blocking;
import dev.holdfast.internal.session.ThreadIds;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The view of a lock in one client: validates arguments, determines the owner, and delegates the rest.
 *
 * @see "PlainLockContractTest, LockObjectTest"
 */
sealed class ClientLock implements DistributedLock permits ClientFencedLock {
    private final ConnectedClient connected;
    private final Client client;
    private final LockKey key;
    private final HandleCalls<Lease> handles;

    ClientLock(ConnectedClient connected, LockKey key) {
        this.connected = connected;
        this.client = connected.client();
        this.key = key;
        this.handles =
                new HandleCalls<>(client, key, (granted, all, origin) -> LeaseHandle.of(client, granted, origin));
    }

    final ConnectedClient connected() {
        return connected;
    }

    final Client client() {
        return client;
    }

    final LockKey key() {
        return key;
    }

    final LeaseRequest watchedLease() {
        return client.holds().watchedLease();
    }

    @Override
    public final String name() {
        return key.name();
    }

    // --- Owned by the calling thread, blocking.

    @Override
    public void lock() {
        await(watchedLease(), hold -> hold);
    }

    @Override
    public void lock(Duration lease) {
        await(LeaseRequest.explicit(lease), hold -> hold);
    }

    final <T> T await(LeaseRequest lease, Function<Hold, T> onGrant) {
        return client.await(requestByThread(lease, AcquireRequest.FOR_EVER), onGrant);
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        client.awaitInterruptibly(requestByThread(watchedLease(), AcquireRequest.FOR_EVER), hold -> hold);
    }

    @Override
    public void lockInterruptibly(Duration lease) throws InterruptedException {
        client.awaitInterruptibly(requestByThread(LeaseRequest.explicit(lease), AcquireRequest.FOR_EVER), hold -> hold);
    }

    @Override
    public boolean tryLock() {
        return tryOnce(hold -> hold) != null;
    }

    final <T> @Nullable T tryOnce(Function<Hold, T> onGrant) {
        return client.tryOnce(requestByThread(watchedLease(), 0), onGrant);
    }

    @Override
    public boolean tryLock(long wait, TimeUnit unit) throws InterruptedException {
        return awaitInterruptibly(watchedLease(), Arguments.waitNanos(wait, unit), hold -> hold) != null;
    }

    @Override
    public boolean tryLock(Duration wait) throws InterruptedException {
        return awaitInterruptibly(watchedLease(), Arguments.wait(wait).toNanos(), hold -> hold) != null;
    }

    @Override
    public boolean tryLock(Duration wait, Duration lease) throws InterruptedException {
        return awaitInterruptibly(
                        LeaseRequest.explicit(lease), Arguments.wait(wait).toNanos(), hold -> hold)
                != null;
    }

    final <T> @Nullable T awaitInterruptibly(LeaseRequest lease, long waitNanos, Function<Hold, T> onGrant)
            throws InterruptedException {
        return client.tryInterruptibly(requestByThread(lease, waitNanos), onGrant);
    }

    @Override
    public void unlock() {
        client.refuseOnIoThread();
        client.holds().unlock(key, threadId());
    }

    @Override
    public Condition newCondition() {
        return condition("");
    }

    @Override
    public Condition getCondition(String name) {
        return condition(Arguments.name("condition", name));
    }

    private Condition condition(String name) {
        if (key.type() == LockType.READ) {
            throw new UnsupportedOperationException(
                    "read " + key.subject() + " has no conditions: wait for one of the write lock, under that");
        }
        return new ClientCondition(client, key, name);
    }

    // --- Async.

    @Override
    public CompletableFuture<@Nullable Void> lockAsync() {
        return byThread().lockAsync();
    }

    @Override
    public CompletableFuture<@Nullable Void> lockAsync(Duration lease) {
        return byThread().lockAsync(lease);
    }

    @Override
    public CompletableFuture<Boolean> tryLockAsync() {
        return byThread().tryLockAsync();
    }

    @Override
    public CompletableFuture<Boolean> tryLockAsync(Duration wait) {
        return byThread().tryLockAsync(wait);
    }

    @Override
    public CompletableFuture<Boolean> tryLockAsync(Duration wait, Duration lease) {
        return byThread().tryLockAsync(wait, lease);
    }

    @Override
    public CompletableFuture<@Nullable Void> unlockAsync() {
        return byThread().unlockAsync();
    }

    @Override
    public OwnedLock ownedBy(long ownerId) {
        return owner(client.session().owners().requireUsers(ownerId), Ownership.OWNER_ID);
    }

    OwnerView byThread() {
        return owner(threadId(), Ownership.THREAD);
    }

    OwnerView owner(long ownerId, Ownership ownership) {
        return new OwnerView(client, key, ownerId, ownership);
    }

    // --- Owned by a handle.

    @Override
    public Lease acquire() {
        return handles.acquire(watchedLease(), 1);
    }

    @Override
    public Lease acquire(Duration lease) {
        return handles.acquire(LeaseRequest.explicit(lease), 1);
    }

    @Override
    public Lease acquireInterruptibly() throws InterruptedException {
        return handles.acquireInterruptibly(watchedLease(), 1);
    }

    @Override
    public Lease acquireInterruptibly(Duration lease) throws InterruptedException {
        return handles.acquireInterruptibly(LeaseRequest.explicit(lease), 1);
    }

    @Override
    public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
        return handles.tryAcquire(watchedLease(), Arguments.wait(wait), 1);
    }

    @Override
    public Optional<Lease> tryAcquire(Duration wait, Duration lease) throws InterruptedException {
        return handles.tryAcquire(LeaseRequest.explicit(lease), Arguments.wait(wait), 1);
    }

    @Override
    public CompletableFuture<Lease> acquireAsync() {
        return handles.acquireAsync(watchedLease(), 1);
    }

    @Override
    public CompletableFuture<Lease> acquireAsync(Duration lease) {
        return handles.acquireAsync(LeaseRequest.explicit(lease), 1);
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait) {
        return handles.tryAcquireAsync(watchedLease(), Arguments.wait(wait), 1);
    }

    @Override
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration wait, Duration lease) {
        return handles.tryAcquireAsync(LeaseRequest.explicit(lease), Arguments.wait(wait), 1);
    }

    // --- Around a body.

    @Override
    public void runLocked(Runnable body) {
        LockedBody.run(this, Objects.requireNonNull(body, "body must not be null"));
    }

    @Override
    public <T> T callLocked(Callable<T> body) throws Exception {
        return LockedBody.call(this, Objects.requireNonNull(body, "body must not be null"));
    }

    // --- Inspecting.

    @Override
    public boolean isHeldByCurrentThread() {
        return client.holds().locks().held(key, threadId()) != null;
    }

    /** {@return whether the thread would wait for itself as another owner of the lock, of which it may have the other side} */
    final boolean mayBeHeldByCurrentThread() {
        LockKey otherSide = key.otherSide();
        LocalLocks locks = client.holds().locks();
        return locks.mayBeHeld(key, threadId()) || (otherSide != null && locks.mayBeHeld(otherSide, threadId()));
    }

    @Override
    public boolean isHeldBy(long ownerId) {
        return client.session().owners().isUsers(ownerId)
                && client.holds().locks().held(key, ownerId) != null;
    }

    @Override
    public int getHoldCount() {
        return byThread().getHoldCount();
    }

    @Override
    public boolean isLocked() {
        return readKey().isLocked();
    }

    @Override
    public Optional<Duration> remainingLease() {
        return readKey().remainingLease();
    }

    private LockInfo readKey() {
        client.refuseOnIoThread();
        return Blocking.forResult(connected.inspector().readKey(key));
    }

    @Override
    public LockInfo inspect() {
        client.refuseOnIoThread();
        return Blocking.forResult(connected.inspector().inspect(key));
    }

    @Override
    public boolean forceUnlock() {
        client.refuseOnIoThread();
        return Blocking.forResult(connected.inspector().forceUnlock(key));
    }

    @Override
    public CompletableFuture<Boolean> isLockedAsync() {
        return client.session()
                .callbacks()
                .forUsers(connected.inspector().readKey(key).thenApply(LockInfo::isLocked));
    }

    @Override
    public CompletableFuture<Optional<Duration>> remainingLeaseAsync() {
        return client.session()
                .callbacks()
                .forUsers(connected.inspector().readKey(key).thenApply(LockInfo::remainingLease));
    }

    @Override
    public CompletableFuture<LockInfo> inspectAsync() {
        return client.session().callbacks().forUsers(connected.inspector().inspect(key));
    }

    @Override
    public CompletableFuture<Boolean> forceUnlockAsync() {
        return client.session().callbacks().forUsers(connected.inspector().forceUnlock(key));
    }

    @Override
    public String toString() {
        return "DistributedLock[" + key + "]";
    }

    private AcquireRequest requestByThread(LeaseRequest lease, long waitNanos) {
        return new AcquireRequest(key, threadId(), Ownership.THREAD, lease, waitNanos);
    }

    private static long threadId() {
        return ThreadIds.current();
    }
}

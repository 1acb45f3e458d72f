package dev.holdfast.internal.view;

import dev.holdfast.DistributedLock;
import dev.holdfast.MultiLease;
import dev.holdfast.MultiLock;
import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.acquire.PartAcquisition;
import dev.holdfast.internal.client.Client;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.report.Callbacks;
import dev.holdfast.internal.session.AcquireOrigin;
import dev.holdfast.internal.session.Arguments;
import dev.holdfast.internal.session.ThreadIds;
import dev.holdfast.internal.several.Member;
import dev.holdfast.internal.several.MemberSet;
import dev.holdfast.internal.several.MultiCall;
import dev.holdfast.internal.several.MultiReentry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * The view of several locks as one: validates arguments, determines the owner, and delegates the rest.
 *
 * @see "MultiLockTest, MultiLockOwnerTest"
 */
public final class ClientMultiLock implements MultiLock {
    private final List<ClientLock> named;
    private final List<ConnectedClient> clients;
    private final MemberSet set;

    ClientMultiLock(List<ClientLock> named) {
        this.named = List.copyOf(named);
        this.clients = named.stream().map(ClientLock::connected).distinct().toList();
        this.set = new MemberSet(named.stream().map(ClientMultiLock::member).toList());
    }

    /**
     * Creates a multi-lock of these locks.
     *
     * @throws IllegalArgumentException if one of them does not come from a client
     */
    public static MultiLock of(DistributedLock... locks) {
        List<ClientLock> members = new ArrayList<>();
        for (DistributedLock lock : Objects.requireNonNull(locks, "locks must not be null")) {
            if (!(lock instanceof ClientLock member)) {
                throw new IllegalArgumentException(
                        "the locks of a multi-lock must come from a Holdfast client, had " + lock);
            }
            members.add(member);
        }
        return new ClientMultiLock(members);
    }

    private static Member member(ClientLock lock) {
        return new Member(lock.client().session(), lock.client().acquisitions(), lock.key(), lock.watchedLease());
    }

    private Client first() {
        return clients.get(0).client();
    }

    Callbacks callbacks() {
        return first().session().callbacks();
    }

    void refuseOnIoThread() {
        clients.forEach(client -> client.client().refuseOnIoThread());
    }

    /** Returns when the caller of a release may continue, as the first client is configured. */
    void finish(CompletableFuture<@Nullable Void> release) {
        first().holds().finish(release);
    }

    boolean isSame(ClientMultiLock other) {
        return set.isSame(other.set);
    }

    boolean overlaps(ClientMultiLock other) {
        return set.overlaps(other.set);
    }

    /** {@return what the calling thread holds of the same locks; null if it does not hold them together} */
    private ThreadHolds.@Nullable Entry ofThread() {
        return clients.get(0).threadHolds().of(this);
    }

    /** {@return the place of one of the locks among the holds} */
    int place(DistributedLock lock) {
        if (lock instanceof ClientLock known) {
            int place = set.place(member(known));
            if (place >= 0) {
                return place;
            }
        }
        throw new IllegalArgumentException("the lock must be one of " + set + ", was " + lock);
    }

    @Override
    public List<DistributedLock> locks() {
        return List.copyOf(named);
    }

    @Override
    public List<String> names() {
        return named.stream().map(DistributedLock::name).toList();
    }

    // --- Owned by the calling thread.

    @Override
    public void lock() {
        lockUninterruptibly(null);
    }

    @Override
    public void lock(Duration lease) {
        lockUninterruptibly(LeaseRequest.explicit(lease));
    }

    private void lockUninterruptibly(@Nullable LeaseRequest lease) {
        if (!reenters(lease, AcquireRequest.FOR_EVER)) {
            beginByThread(lease, AcquireRequest.FOR_EVER).await(this::own);
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        lockInterruptibly((LeaseRequest) null);
    }

    @Override
    public void lockInterruptibly(Duration lease) throws InterruptedException {
        lockInterruptibly(LeaseRequest.explicit(lease));
    }

    private void lockInterruptibly(@Nullable LeaseRequest lease) throws InterruptedException {
        refuseIfInterrupted();
        if (!reentersInterruptibly(lease, AcquireRequest.FOR_EVER)) {
            beginByThread(lease, AcquireRequest.FOR_EVER).awaitInterruptibly(this::own);
        }
    }

    @Override
    public boolean tryLock() {
        return reenters(null, 0) || beginByThread(null, 0).await(this::own);
    }

    @Override
    public boolean tryLock(long wait, TimeUnit unit) throws InterruptedException {
        return tryLock(null, Arguments.waitNanos(wait, unit));
    }

    @Override
    public boolean tryLock(Duration wait) throws InterruptedException {
        return tryLock(null, Arguments.wait(wait).toNanos());
    }

    @Override
    public boolean tryLock(Duration wait, Duration lease) throws InterruptedException {
        return tryLock(LeaseRequest.explicit(lease), Arguments.wait(wait).toNanos());
    }

    private boolean tryLock(@Nullable LeaseRequest lease, long waitNanos) throws InterruptedException {
        refuseIfInterrupted();
        return reentersInterruptibly(lease, waitNanos)
                || beginByThread(lease, waitNanos).awaitInterruptibly(this::own);
    }

    @Override
    public void unlock() {
        ThreadHolds.Entry held = ofThread();
        if (held == null) {
            throw new IllegalMonitorStateException(this + " is not held by thread " + ThreadIds.current());
        }
        refuseOnIoThread();
        if (held.leave()) {
            clients.forEach(client -> client.threadHolds().remove(held));
            held.handle().close();
        } else {
            held.handle().throwIfLost();
        }
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException(
                this + " has no conditions: its locks may be on several servers; use a condition of one lock");
    }

    @Override
    public boolean isHeldByCurrentThread() {
        return getHoldCount() > 0;
    }

    @Override
    public int getHoldCount() {
        ThreadHolds.Entry held = ofThread();
        return held != null && held.handle().isValid() ? held.levels() : 0;
    }

    /** {@return whether the thread holds these locks together, and has entered once more} */
    private boolean reenters(@Nullable LeaseRequest lease, long waitNanos) {
        refuseOnIoThread();
        ThreadHolds.Entry held = ofThread();
        if (held == null) {
            return false;
        }
        reentry(held, lease).await(waitNanos);
        held.enter();
        return true;
    }

    /** The same for a call that ends with an interrupt, and after its wait. */
    private boolean reentersInterruptibly(@Nullable LeaseRequest lease, long waitNanos) throws InterruptedException {
        refuseOnIoThread();
        ThreadHolds.Entry held = ofThread();
        if (held == null) {
            return false;
        }
        reentry(held, lease).awaitInterruptibly(waitNanos);
        held.enter();
        return true;
    }

    private MultiReentry reentry(ThreadHolds.Entry held, @Nullable LeaseRequest lease) {
        return new MultiReentry(
                first().session(),
                "the locks " + set,
                set.names(),
                held.handle().confirm(lease),
                held.handle()::outage);
    }

    private MultiCall beginByThread(@Nullable LeaseRequest lease, long waitNanos) {
        for (ConnectedClient client : clients) {
            ClientMultiLock other = client.threadHolds().overlapping(this);
            if (other != null) {
                throw new IllegalStateException(
                        "a thread must not wait for itself: it holds " + other + ", and requested " + this);
            }
        }
        for (ClientLock lock : named) {
            if (lock.mayBeHeldByCurrentThread()) {
                throw new IllegalStateException("a thread must not wait for itself: it holds lock '" + lock.key()
                        + "' by itself, and requested " + this + "; acquire all locks by multi-locks");
            }
        }
        return set.begin(lease, waitNanos, Thread.currentThread());
    }

    private boolean own(Optional<List<PartAcquisition>> granted) {
        granted.map(parts -> new ThreadHolds.Entry(this, handle(parts)))
                .ifPresent(
                        first -> clients.forEach(client -> client.threadHolds().add(first)));
        return granted.isPresent();
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

    // --- Owned by a handle.

    @Override
    public MultiLease acquire() {
        return acquire((LeaseRequest) null);
    }

    @Override
    public MultiLease acquire(Duration lease) {
        return acquire(LeaseRequest.explicit(lease));
    }

    private MultiLease acquire(@Nullable LeaseRequest lease) {
        return byHandle(lease, AcquireRequest.FOR_EVER).await(this::granted);
    }

    @Override
    public MultiLease acquireInterruptibly() throws InterruptedException {
        return acquireInterruptibly((LeaseRequest) null);
    }

    @Override
    public MultiLease acquireInterruptibly(Duration lease) throws InterruptedException {
        return acquireInterruptibly(LeaseRequest.explicit(lease));
    }

    private MultiLease acquireInterruptibly(@Nullable LeaseRequest lease) throws InterruptedException {
        refuseIfInterrupted();
        return byHandle(lease, AcquireRequest.FOR_EVER).awaitInterruptibly(this::granted);
    }

    @Override
    public Optional<MultiLease> tryAcquire(Duration wait) throws InterruptedException {
        return tryAcquire((LeaseRequest) null, Arguments.wait(wait));
    }

    @Override
    public Optional<MultiLease> tryAcquire(Duration wait, Duration lease) throws InterruptedException {
        return tryAcquire(LeaseRequest.explicit(lease), Arguments.wait(wait));
    }

    private Optional<MultiLease> tryAcquire(@Nullable LeaseRequest lease, Duration wait) throws InterruptedException {
        refuseIfInterrupted();
        return byHandle(lease, wait.toNanos()).awaitInterruptibly(granted -> granted.map(this::handle));
    }

    private MultiCall byHandle(@Nullable LeaseRequest lease, long waitNanos) {
        refuseOnIoThread();
        return set.begin(lease, waitNanos, null);
    }

    private MultiLease granted(Optional<List<PartAcquisition>> granted) {
        return handle(granted.orElseThrow(AcquireRequest::neverRefused));
    }

    private MultiHandle handle(List<PartAcquisition> granted) {
        return MultiHandle.of(this, granted, first().session().origin());
    }

    private void refuseIfInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before waiting for " + this);
        }
    }

    @Override
    public CompletableFuture<MultiLease> acquireAsync() {
        return acquireAsync((LeaseRequest) null);
    }

    @Override
    public CompletableFuture<MultiLease> acquireAsync(Duration lease) {
        return acquireAsync(LeaseRequest.explicit(lease));
    }

    private CompletableFuture<MultiLease> acquireAsync(@Nullable LeaseRequest lease) {
        @Nullable AcquireOrigin origin = first().session().origin();
        return set.begin(lease, AcquireRequest.FOR_EVER, null)
                .toFuture(granted -> MultiHandle.of(this, granted.orElseThrow(AcquireRequest::neverRefused), origin));
    }

    @Override
    public CompletableFuture<Optional<MultiLease>> tryAcquireAsync(Duration wait) {
        return tryAcquireAsync((LeaseRequest) null, Arguments.wait(wait));
    }

    @Override
    public CompletableFuture<Optional<MultiLease>> tryAcquireAsync(Duration wait, Duration lease) {
        return tryAcquireAsync(LeaseRequest.explicit(lease), Arguments.wait(wait));
    }

    private CompletableFuture<Optional<MultiLease>> tryAcquireAsync(@Nullable LeaseRequest lease, Duration wait) {
        @Nullable AcquireOrigin origin = first().session().origin();
        return set.begin(lease, wait.toNanos(), null)
                .toFuture(granted -> granted.map(parts -> MultiHandle.of(this, parts, origin)));
    }

    @Override
    public String toString() {
        return "MultiLock[" + set + "]";
    }
}

package dev.holdfast.internal.view;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.Inside;
import dev.holdfast.LockInfo;
import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.acquire.Acquisitions;
import dev.holdfast.internal.acquire.FutureAcquisition;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.HoldRenewals;
import dev.holdfast.internal.hold.Holds;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.LocalLock;
import dev.holdfast.internal.hold.OwnerLane;
import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.hold.Release;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.PlainKind;
import dev.holdfast.internal.node.Homes;
import dev.holdfast.internal.node.NoHome;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.wait.Handoff;
import dev.holdfast.internal.wait.WaitQueue;
import dev.holdfast.internal.wait.WaitQueues;
import dev.holdfast.testkit.ManualTimer;
import dev.holdfast.watchdog.Deadlines;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** The parts of a client without a connection, for the tests of those that only decide. */
public final class Unconnected implements AutoCloseable {
    private final ScheduledExecutorService pauses = Executors.newSingleThreadScheduledExecutor();
    private final LockKey lock = new LockKey(new PlainKind(), "orders:42", "");
    private final Session session;
    private final Homes homes;
    private final WaitQueues queues;
    private final Holds holds;
    private final Acquisitions acquisitions;

    /** How far the wall clock has run ahead of the monotonic one. */
    private final AtomicLong suspendedMillis = new AtomicLong();

    public Unconnected() {
        this(new ManualTimer());
    }

    private Unconnected(ManualTimer timer) {
        this(
                Holdfast.builder().redisUri("redis://localhost"),
                new Deadlines(timer, timer::nanoTime, Duration.ofMillis(1)));
    }

    public Unconnected(HoldfastBuilder settings, Deadlines deadlines) {
        this(settings, deadlines, session -> Homes.fixed(new NoHome(session)));
    }

    /** @param nodes the nodes that commands are sent to */
    public Unconnected(HoldfastBuilder settings, Deadlines deadlines, Function<Session, Homes> nodes) {
        session = new Session(
                Inside.settings(settings),
                deadlines,
                () -> TimeUnit.NANOSECONDS.toMillis(deadlines.nanoTime()) + suspendedMillis.get(),
                pauses);
        homes = nodes.apply(session);
        queues = new WaitQueues(session, homes);
        holds = new Holds(session, homes, queues::contended, HoldRenewals.keeper(session, homes, Duration.ZERO, null));
        acquisitions = new Acquisitions(session, holds.locks(), queues);
    }

    /** The machine was suspended for this time: the wall clock has gone on alone. */
    public void suspend(Duration time) {
        suspendedMillis.addAndGet(time.toMillis());
    }

    /** {@return where commands are sent to} */
    public Homes homes() {
        return homes;
    }

    public Holds holds() {
        return holds;
    }

    public Acquisitions acquisitions() {
        return acquisitions;
    }

    /** {@return the slot of the lock in a cluster} */
    int slot() {
        return lock.slot();
    }

    /** {@return what the lock is at its home} */
    CompletableFuture<LockInfo> readKey() {
        return new Inspector(session, homes, holds.locks()).readKey(lock);
    }

    /** {@return an acquisition of the lock by this owner} */
    public FutureAcquisition<Boolean> acquisition(long ownerId) {
        return new FutureAcquisition<>(acquisitions, request(ownerId, Ownership.HANDLE), hold -> true, () -> false);
    }

    /** {@return completes with the hold of this owner, which waits for ever} */
    public CompletableFuture<Hold> acquire(long ownerId) {
        return acquire(ownerId, holds.watchedLease());
    }

    /** {@return what an acquisition with this lease by this owner grants} */
    public CompletableFuture<Hold> acquire(long ownerId, LeaseRequest lease) {
        return new FutureAcquisition<Hold>(
                        acquisitions, request(ownerId, Ownership.OWNER_ID, lease), hold -> hold, () -> {
                            throw new AssertionError("it waits for ever");
                        })
                .begin();
    }

    /** {@return a request for the lock by this owner, that waits for ever} */
    public AcquireRequest request(long ownerId, Ownership ownership) {
        return request(ownerId, ownership, holds.watchedLease());
    }

    /** {@return the same with this lease} */
    public AcquireRequest request(long ownerId, Ownership ownership, LeaseRequest lease) {
        return new AcquireRequest(lock, ownerId, ownership, lease, AcquireRequest.FOR_EVER);
    }

    /** {@return a hold of this owner} */
    public Hold hold(long ownerId) {
        return hold(lock, ownerId);
    }

    /** {@return a hold of this lock by this owner} */
    public Hold hold(LockKey lock, long ownerId) {
        OwnerLane lane = new OwnerLane(new LocalLock(holds, lock), lock, ownerId);
        Hold hold = new Hold(lane, session.nextTenure(), session.now(), acquisition(ownerId), false);
        hold.confirmedBy(lane.home());
        return hold;
    }

    /** {@return a handoff from this hold to that owner} */
    public Handoff handoff(Hold from, long to) {
        LocalLock local = new LocalLock(holds, lock);
        OwnerLane lane = new OwnerLane(local, lock, to);
        return new Handoff(lane, new WaitQueue(queues, local), Release.of(from), from, acquisition(to), true);
    }

    @Override
    public void close() {
        pauses.shutdown();
    }
}

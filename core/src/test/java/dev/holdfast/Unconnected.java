package dev.holdfast;

import dev.holdfast.testkit.ManualTimer;
import dev.holdfast.watchdog.Deadlines;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** The parts of a client without a connection, for the tests of those that only decide. */
final class Unconnected implements AutoCloseable {
    private final ScheduledExecutorService pauses = Executors.newSingleThreadScheduledExecutor();
    private final LockKey lock = new LockKey(new PlainLock(), "orders:42", "");
    private final Session session;
    private final WaitQueues queues;
    private final Holds holds;
    private final Acquisitions acquisitions;

    Unconnected() {
        this(new ManualTimer());
    }

    private Unconnected(ManualTimer timer) {
        this(
                Holdfast.builder().redisUri("redis://localhost"),
                new Deadlines(timer, timer::nanoTime, Duration.ofMillis(1)));
    }

    Unconnected(HoldfastBuilder settings, Deadlines deadlines) {
        session = new Session(settings.settings(), deadlines, pauses);
        Home home = new NoHome(session);
        queues = new WaitQueues(session, home);
        holds = new Holds(session, home, queues, HoldRenewals.keeper(session, home, Duration.ZERO, null));
        acquisitions = new Acquisitions(session, holds.lanes(), queues);
    }

    Session session() {
        return session;
    }

    Holds holds() {
        return holds;
    }

    Acquisitions acquisitions() {
        return acquisitions;
    }

    /** {@return an acquisition of the lock by this owner} */
    Acquisition acquisition(long ownerId) {
        AcquireRequest wanted =
                new AcquireRequest(lock, ownerId, Ownership.HANDLE, holds.watchedLease(), AcquireRequest.FOR_EVER);
        return new FutureAcquisition<>(acquisitions, wanted, hold -> true, () -> false);
    }

    /** {@return a hold of this owner} */
    Hold hold(long ownerId) {
        OwnerLane lane = new OwnerLane(holds, lock, ownerId);
        return new Hold(lane, session.nextTenure(), session.now(), acquisition(ownerId), false);
    }

    /** {@return a handoff from this hold to that owner} */
    Handoff handoff(Hold from, long to) {
        OwnerLane lane = new OwnerLane(holds, lock, to);
        return new Handoff(lane, new WaitQueue(queues, lock), Release.of(from), from, acquisition(to), true);
    }

    @Override
    public void close() {
        pauses.shutdown();
    }
}

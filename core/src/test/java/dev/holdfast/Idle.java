package dev.holdfast;

import dev.holdfast.testkit.ManualTimer;
import dev.holdfast.watchdog.Deadlines;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** An engine without a connection, for the parts that only decide. */
final class Idle implements AutoCloseable {
    private final ManualTimer timer = new ManualTimer();
    private final ScheduledExecutorService pauses = Executors.newSingleThreadScheduledExecutor();
    private final LockKey lock = new LockKey(new PlainLock(), "orders:42", "");
    private final Engine engine = new Engine(
            Holdfast.builder().redisUri("redis://localhost").settings(),
            new Deadlines(timer, timer::nanoTime, Duration.ofMillis(1)),
            pauses);

    /** {@return an acquisition of the lock by this owner} */
    Acquisition acquisition(long ownerId) {
        AcquireRequest wanted =
                new AcquireRequest(lock, ownerId, Ownership.HANDLE, engine.watchedLease(), AcquireRequest.FOR_EVER);
        return new FutureAcquisition<>(engine, wanted, hold -> true, () -> false);
    }

    /** {@return a hold of this owner} */
    Hold hold(long ownerId) {
        return new Hold(
                new OwnerLane(engine, lock, ownerId), engine.nextTenure(), engine.now(), acquisition(ownerId), false);
    }

    /** {@return a handoff from this hold to that owner} */
    Handoff handoff(Hold from, long to) {
        OwnerLane lane = new OwnerLane(engine, lock, to);
        return new Handoff(lane, new WaitQueue(engine, lock), Release.of(from), from, acquisition(to), true);
    }

    @Override
    public void close() {
        pauses.shutdown();
    }
}

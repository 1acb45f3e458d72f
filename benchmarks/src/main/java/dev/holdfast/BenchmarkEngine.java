package dev.holdfast;

import dev.holdfast.watchdog.Deadlines;
import io.netty.util.HashedWheelTimer;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** An engine without a connection, for the work that precedes the sending of a command. */
final class BenchmarkEngine implements AutoCloseable {
    private final HashedWheelTimer timer = Deadlines.newTimer();
    private final Deadlines deadlines = new Deadlines(timer, System::nanoTime, Deadlines.DEFAULT_TICK);
    private final ScheduledExecutorService pauses = Executors.newSingleThreadScheduledExecutor();
    private final LockKind plain = new PlainLock();
    private final Engine engine =
            new Engine(Holdfast.builder().redisUri("redis://127.0.0.1").settings(), deadlines, pauses);

    Engine engine() {
        return engine;
    }

    LockKey key(String name) {
        return new LockKey(plain, name, "");
    }

    /** {@return an acquisition of the lock whose caller has a future} */
    Acquisition wanted(LockKey lock, long ownerId) {
        return new FutureAcquisition<Boolean>(
                engine,
                new AcquireRequest(
                        lock,
                        ownerId,
                        Ownership.OWNER_ID,
                        LeaseRequest.watched(Duration.ofSeconds(30)),
                        AcquireRequest.FOR_EVER),
                hold -> true,
                () -> false);
    }

    @Override
    public void close() {
        pauses.shutdownNow();
        deadlines.close();
        timer.stop();
    }
}

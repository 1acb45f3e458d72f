package dev.holdfast;

import dev.holdfast.watchdog.Deadlines;
import io.netty.util.HashedWheelTimer;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** An engine that is connected to nothing, for what happens before anything is sent. */
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

    /** {@return a call that wants the lock, and whose caller has a future} */
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

package dev.holdfast.pubsub;

import io.netty.util.Timeout;
import io.netty.util.Timer;
import io.netty.util.TimerTask;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A task that runs once per interval as long as it is requested again, and costs the timer nothing otherwise.
 *
 * <p>RESTING -- {@link #request} --> PENDING -- the interval passes --> RESTING, and the task runs; STOPPED is final. A
 * request while PENDING is one volatile read, so it may be made on a hot path. The task checks for work only after the
 * state is RESTING again: a request that arrives during the check starts a new interval and is not missed.
 */
final class CoalescedTimer implements TimerTask {
    private enum State {
        RESTING,
        PENDING,
        STOPPED
    }

    private final Timer timer;
    private final long intervalNanos;
    private final Runnable task;
    private final AtomicReference<State> state = new AtomicReference<>(State.RESTING);
    private volatile @Nullable Timeout timeout;

    CoalescedTimer(Timer timer, Duration interval, Runnable task) {
        this.timer = timer;
        this.intervalNanos = interval.toNanos();
        this.task = task;
    }

    /** Schedules the task for one interval from now, unless it is scheduled already. */
    void request() {
        if (state.get() == State.RESTING && state.compareAndSet(State.RESTING, State.PENDING)) {
            timeout = timer.newTimeout(this, intervalNanos, TimeUnit.NANOSECONDS);
            if (state.get() == State.STOPPED) {
                cancel();
            }
        }
    }

    void stop() {
        state.set(State.STOPPED);
        cancel();
    }

    private void cancel() {
        Timeout pending = timeout;
        if (pending != null) {
            pending.cancel();
        }
    }

    @Override
    public void run(Timeout expired) {
        if (state.compareAndSet(State.PENDING, State.RESTING)) {
            task.run();
        }
    }
}

package dev.holdfast.pubsub;

import io.netty.util.Timeout;
import io.netty.util.Timer;
import io.netty.util.TimerTask;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A task that runs once an interval for as long as it is asked for again, and costs the timer nothing otherwise.
 *
 * <p>RESTING -- {@link #request} --> PENDING -- the interval passes --> RESTING, and the task runs; STOPPED is final. A
 * request while PENDING is one volatile read, so it may stand on a hot path. The task looks for work only after the state
 * is back to RESTING: work that is reported during the look starts a new pulse and is not missed.
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

    /** Has the task run one interval from now, if it is not going to run anyway. */
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

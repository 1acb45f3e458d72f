package dev.holdfast.watchdog;

import dev.holdfast.testkit.ManualTimer;
import io.netty.util.Timeout;
import io.netty.util.Timer;
import io.netty.util.TimerTask;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The manual timer with a count of the timeouts it was given. */
final class CountingTimer implements Timer {
    final ManualTimer manual = new ManualTimer();
    final AtomicInteger timeouts = new AtomicInteger();

    @Override
    public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
        timeouts.incrementAndGet();
        return manual.newTimeout(task, delay, unit);
    }

    @Override
    public Set<Timeout> stop() {
        return manual.stop();
    }
}

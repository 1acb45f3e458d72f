package dev.holdfast.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.HashedWheelTimer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Threads on which the time of a client passes know that they are such. */
final class TimerThreadsTest {
    /** The thread of a timer is one, and the calling thread is not. */
    @Test
    void isCurrent() throws Exception {
        HashedWheelTimer timer = Deadlines.newTimer();
        try {
            CompletableFuture<Boolean> onTimer = new CompletableFuture<>();
            timer.newTimeout(timeout -> onTimer.complete(TimerThreads.isCurrent()), 1, TimeUnit.MILLISECONDS);
            assertThat(onTimer.get(1, TimeUnit.MINUTES)).isTrue();
            assertThat(TimerThreads.isCurrent()).isFalse();
        } finally {
            timer.stop();
        }
    }
}

package dev.holdfast.campaign.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An alarm interrupts in time or not at all. */
class AlarmTest {
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void close() {
        clock.shutdownNow();
    }

    /** An alarm interrupts a thread that waits. */
    @Test
    void set_interrupts() {
        Alarm alarm = Alarm.set(clock, Optional.of(Duration.ofMillis(1)));

        assertThatThrownBy(() -> new CountDownLatch(1).await(20, TimeUnit.SECONDS))
                .isInstanceOf(InterruptedException.class);
        alarm.turnOff();
    }

    /** An alarm that is turned off clears its interrupt, and interrupts no more. */
    @Test
    @Timeout(20)
    void turnOff_silences() throws Exception {
        Alarm rung = Alarm.set(clock, Optional.of(Duration.ZERO));
        while (!Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
        Alarm early = Alarm.set(clock, Optional.of(Duration.ofMillis(20)));

        rung.turnOff();
        early.turnOff();

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        clock.schedule(() -> {}, 30, TimeUnit.MILLISECONDS).get(20, TimeUnit.SECONDS);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    /** An alarm without a time interrupts when another thread lets it ring, and no more when it is off. */
    @Test
    @Timeout(20)
    void ring_now() {
        Alarm alarm = Alarm.set(clock, Optional.empty());
        clock.execute(alarm::ring);
        assertThatThrownBy(() -> new CountDownLatch(1).await(20, TimeUnit.SECONDS))
                .isInstanceOf(InterruptedException.class);

        alarm.turnOff();
        alarm.ring();

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    /** An interrupt by another source is not cleared. */
    @Test
    void turnOff_notItsOwn() {
        Thread.currentThread().interrupt();
        Alarm.set(clock, Optional.empty()).turnOff();

        assertThat(Thread.interrupted()).isTrue();
    }

    /** The interrupt of an alarm counts as cleared once the interrupt status that it has set is cleared. */
    @Test
    @Timeout(20)
    void interruptWasCleared_afterInterrupted() {
        Alarm alarm = Alarm.set(clock, Optional.of(Duration.ZERO));
        while (!Thread.currentThread().isInterrupted()) {
            assertThat(alarm.interruptWasCleared()).isFalse();
        }
        assertThat(alarm.interruptWasCleared()).isFalse();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(alarm.interruptWasCleared()).isTrue();
        alarm.turnOff();
    }
}

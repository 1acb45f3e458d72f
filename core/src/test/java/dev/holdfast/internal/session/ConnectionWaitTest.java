package dev.holdfast.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualTimer;
import dev.holdfast.watchdog.Deadlines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Work that waits for a connection is either resumed or given up, exactly once. Uses a manual timer. */
@Tag("pure")
final class ConnectionWaitTest {
    private static final long SOON = Duration.ofSeconds(1).toNanos();

    private final ManualTimer timer = new ManualTimer();

    @AutoClose
    private final Deadlines deadlines = new Deadlines(timer, timer::nanoTime, Deadlines.DEFAULT_TICK);

    private final AtomicBoolean connected = new AtomicBoolean();
    private final ConnectionWait outage = new ConnectionWait(deadlines, connected::get);
    private final List<String> told = new ArrayList<>();

    private void await(long untilNanos) {
        outage.await(() -> told.add("resumed"), untilNanos, () -> told.add("given up"));
    }

    /** With a connection there is no wait. */
    @Test
    void await_whileUp() {
        connected.set(true);
        await(SOON);
        outage.await(() -> told.add("resumed"));
        assertThat(told).containsExactly("resumed", "resumed");
        assertThat(outage.size()).isZero();
    }

    /** Without a connection, work is resumed when there is one again, and not given up later. */
    @Test
    void over_resumes() {
        await(SOON);
        outage.await(() -> told.add("resumed"));
        assertThat(told).isEmpty();
        outage.over();
        assertThat(told).containsExactly("resumed", "resumed");
        timer.advance(Duration.ofMinutes(1));
        outage.over();
        assertThat(told).hasSize(2);
    }

    /** Without a connection in time, work is given up, and not resumed later. */
    @Test
    void deadline_givesUp() {
        await(SOON);
        timer.advance(Duration.ofMillis(900));
        assertThat(told).isEmpty();
        timer.advance(Duration.ofMillis(200));
        assertThat(told).containsExactly("given up");
        outage.over();
        assertThat(told).hasSize(1);
        assertThat(outage.size()).isZero();
    }

    /** Work whose deadline has passed is given up at once. */
    @Test
    void deadline_hasPassed() {
        timer.advance(Duration.ofSeconds(2));
        await(SOON);
        assertThat(told).containsExactly("given up");
    }

    /** After the close all waiting work is given up, and so is work that arrives later. */
    @Test
    void close_givesUp() {
        await(SOON);
        outage.close();
        assertThat(told).containsExactly("given up");
        await(SOON);
        assertThat(told).containsExactly("given up", "given up");
        assertThat(outage.size()).isZero();
    }
}

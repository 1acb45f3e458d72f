package dev.holdfast.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.PlainKind;
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
@Tag("driver")
final class ConnectionWaitTest {
    private static final long SOON = Duration.ofSeconds(1).toNanos();

    private final ManualTimer timer = new ManualTimer();

    @AutoClose
    private final Deadlines deadlines = new Deadlines(timer, timer::nanoTime, Deadlines.DEFAULT_TICK);

    private final LockKey lock = new LockKey(new PlainKind(), "orders:42", "");

    /** Has another home by now. */
    private final LockKey left = new LockKey(new PlainKind(), "orders:43", "");

    private final AtomicBoolean connected = new AtomicBoolean();
    private final ConnectionWait connectionWait =
            new ConnectionWait(deadlines, lock -> connected.get() || lock.equals(left));
    private final List<String> outcomes = new ArrayList<>();

    private void await(long untilNanos) {
        connectionWait.await(lock, () -> outcomes.add("resumed"), untilNanos, () -> outcomes.add("given up"));
    }

    /** With a connection there is no wait. */
    @Test
    void await_whileUp() {
        connected.set(true);
        await(SOON);
        connectionWait.await(lock, () -> outcomes.add("resumed"));
        assertThat(outcomes).containsExactly("resumed", "resumed");
        assertThat(connectionWait.size()).isZero();
    }

    /**
     * A lock that has left while its command found that this node is down is not waited for: the move has ended the waits of
     * this node before. The other locks wait.
     */
    @Test
    void await_lockHasLeft() {
        connectionWait.over();
        connectionWait.await(left, () -> outcomes.add("resumed"), SOON, () -> outcomes.add("given up"));
        connectionWait.await(left, () -> outcomes.add("resumed"));
        assertThat(outcomes).containsExactly("resumed", "resumed");
        await(SOON);
        assertThat(outcomes).hasSize(2);
    }

    /** Without a connection, work is resumed when there is one again, and not given up later. */
    @Test
    void over_resumes() {
        await(SOON);
        connectionWait.await(lock, () -> outcomes.add("resumed"));
        assertThat(outcomes).isEmpty();
        connectionWait.over();
        assertThat(outcomes).containsExactly("resumed", "resumed");
        timer.advance(Duration.ofMinutes(1));
        connectionWait.over();
        assertThat(outcomes).hasSize(2);
    }

    /** Work is resumed in the order in which it began to wait. */
    @Test
    void over_resumesInOrder() {
        List<Integer> expected = new ArrayList<>();
        List<Integer> resumed = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int number = i;
            expected.add(number);
            connectionWait.await(lock, () -> resumed.add(number));
        }
        connectionWait.over();
        assertThat(resumed).isEqualTo(expected);
    }

    /** Work that waits again when it is resumed, since the connection is lost already, is resumed with the next one. */
    @Test
    void over_lostAtOnce_resumesOnce() {
        connectionWait.await(lock, this::waitAgain);
        connectionWait.await(lock, this::waitAgain);
        connectionWait.over();
        assertThat(outcomes).hasSize(2);
        connectionWait.over();
        assertThat(outcomes).hasSize(4);
    }

    private void waitAgain() {
        outcomes.add("resumed");
        if (outcomes.size() < 10) {
            connectionWait.await(lock, this::waitAgain);
        }
    }

    /** Without a connection in time, work is given up, and not resumed later. */
    @Test
    void deadline_givesUp() {
        await(SOON);
        timer.advance(Duration.ofMillis(900));
        assertThat(outcomes).isEmpty();
        timer.advance(Duration.ofMillis(200));
        assertThat(outcomes).containsExactly("given up");
        connectionWait.over();
        assertThat(outcomes).hasSize(1);
        assertThat(connectionWait.size()).isZero();
    }

    /** Work whose deadline has passed is given up at once. */
    @Test
    void deadline_hasPassed() {
        timer.advance(Duration.ofSeconds(2));
        await(SOON);
        assertThat(outcomes).containsExactly("given up");
    }

    /** Nor is it resumed if there is a connection: a command that no attempt settles is sent until its deadline. */
    @Test
    void deadline_hasPassed_whileUp() {
        connected.set(true);
        timer.advance(Duration.ofSeconds(2));
        await(SOON);
        assertThat(outcomes).containsExactly("given up");
    }

    /** After the close all waiting work is given up, and so is work that arrives later. */
    @Test
    void close_givesUp() {
        await(SOON);
        connectionWait.close();
        assertThat(outcomes).containsExactly("given up");
        await(SOON);
        assertThat(outcomes).containsExactly("given up", "given up");
        assertThat(connectionWait.size()).isZero();
    }
}

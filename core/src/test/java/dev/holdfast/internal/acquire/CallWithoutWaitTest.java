package dev.holdfast.internal.acquire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.LockException;
import dev.holdfast.Patience;
import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.PlainKind;
import dev.holdfast.internal.view.Unconnected;
import dev.holdfast.testkit.ManualTimer;
import dev.holdfast.watchdog.Deadlines;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How long calls without a wait last while there is no connection, by a clock that the test sets. */
@Tag("pure")
final class CallWithoutWaitTest {
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration MARGIN = Duration.ofMillis(200);

    private final ManualTimer timer = new ManualTimer();

    @AutoClose
    private final Unconnected parts = new Unconnected(
            Holdfast.builder()
                    .redisUri("redis://localhost")
                    .commandTimeout(COMMAND_TIMEOUT)
                    .failoverTimeout(COMMAND_TIMEOUT.multipliedBy(4)),
            new Deadlines(timer, timer::nanoTime, Duration.ofMillis(1)));

    /** It ends one command timeout after its beginning, although a failover may take longer. */
    @Test
    void begin_beforeAnOutage_endsAfterACommandTimeout() {
        CompletableFuture<Boolean> tried = begin(0, false);
        timer.advance(COMMAND_TIMEOUT.minus(MARGIN));
        assertThat(tried).isNotDone();

        timer.advance(MARGIN.multipliedBy(2));

        assertThatThrownBy(() -> Patience.get(tried))
                .isExactlyInstanceOf(LockException.class)
                .hasMessageMatching(".* was not acquired: after 3[012]\\d\\d ms there is no answer .*");
    }

    /** During an outage it fails at once. */
    @Test
    void begin_duringAnOutage_failsAtOnce() {
        timer.advance(COMMAND_TIMEOUT);

        assertThatThrownBy(() -> Patience.get(begin(0, false)))
                .isExactlyInstanceOf(LockException.class)
                .hasMessageContaining(" was not acquired: there has been no connection to Redis for 3000 ms");
    }

    /** A call that may wait does not, and neither does the single attempt that it begins with. */
    @Test
    void begin_mayWait_waitsForTheFailoverTimeout() {
        timer.advance(COMMAND_TIMEOUT);
        CompletableFuture<Boolean> waiting = begin(AcquireRequest.FOR_EVER, true);
        CompletableFuture<Boolean> attempt = begin(0, true);

        timer.advance(COMMAND_TIMEOUT.multipliedBy(4).minus(MARGIN));
        assertThat(waiting).isNotDone();
        assertThat(attempt).isNotDone();
        timer.advance(MARGIN.multipliedBy(2));

        assertThatThrownBy(() -> Patience.get(waiting)).isExactlyInstanceOf(LockException.class);
        assertThatThrownBy(() -> Patience.get(attempt)).isExactlyInstanceOf(LockException.class);
    }

    private CompletableFuture<Boolean> begin(long waitNanos, boolean ofWaitingCall) {
        LockKey lock = new LockKey(new PlainKind(), "orders:" + waitNanos, "");
        AcquireRequest wanted =
                new AcquireRequest(lock, 7, Ownership.OWNER_ID, parts.holds().watchedLease(), waitNanos, ofWaitingCall);
        return new FutureAcquisition<>(parts.acquisitions(), wanted, hold -> true, () -> false).begin();
    }
}

package dev.holdfast.fault.renewal;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.TurnedClock.RENEWAL;
import static dev.holdfast.TurnedClock.WATCHDOG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CapturedWarnings;
import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.LeaseLostException;
import dev.holdfast.TurnedClock;
import dev.holdfast.internal.hold.Holds;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which losses are logged as warnings: those that the caller did not request. */
@Tag("fault")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
class LossLogTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final TurnedClock clock = new TurnedClock();
    private final DistributedLock lock = faulty.client(clock::turns).getLock(NAME);

    /**
     * An explicit lease that ends at its requested end causes no warning; the owner and the listener are notified all
     * the same.
     */
    @Test
    void explicitLeaseRanOut_noWarning() {
        List<String> warnings;
        try (CapturedWarnings captured = new CapturedWarnings()) {
            lock.lock(WATCHDOG);
            clock.advance(WATCHDOG);
            eventually(() -> !faulty.events().lost().isEmpty());
            assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
            warnings = captured.of(Holds.class);
        }

        assertThat(warnings).isEmpty();
    }

    /** A lease that ends before its time is warned of, explicit or not. */
    @Test
    void explicitLeaseTaken_warning() {
        List<String> warnings;
        try (CapturedWarnings captured = new CapturedWarnings()) {
            lock.lock(FaultyRedis.LONG);
            assertThat(lock.forceUnlock()).isTrue();
            assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
            warnings = captured.of(Holds.class);
        }

        assertThat(warnings).singleElement().asString().contains(NAME, "GONE");
    }

    /**
     * A hold lasts as long as its longest level: the loss of a watched hold that was re-entered with an explicit lease
     * is warned of.
     */
    @Test
    void renewedLevelBelowAnExplicitOne_warning() {
        List<String> warnings;
        try (CapturedWarnings captured = new CapturedWarnings()) {
            DistributedLock renewed = faulty.client(
                            builder -> clock.turns(builder).watchdogTimeout(WATCHDOG))
                    .getLock(NAME);
            renewed.lock();
            renewed.lock(Duration.ofMillis(50));
            long before = faulty.proxy().commands("EVALSHA");
            faulty.proxy().blackHole();
            clock.advance(RENEWAL);
            eventually(() -> faulty.proxy().commands("EVALSHA") > before);
            clock.advance(WATCHDOG.minus(RENEWAL));
            eventually(() -> !captured.of(Holds.class).isEmpty()); // the last that is done about a loss
            faulty.proxy().heal();
            assertThatThrownBy(renewed::unlock).isInstanceOf(LeaseLostException.class);
            assertThatThrownBy(renewed::unlock).isInstanceOf(LeaseLostException.class);
            warnings = captured.of(Holds.class);
        }

        assertThat(warnings).anySatisfy(line -> assertThat(line).contains(NAME, "UNREACHABLE"));
    }
}

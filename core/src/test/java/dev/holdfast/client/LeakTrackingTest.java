package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CapturedWarnings;
import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.LeakTracking;
import dev.holdfast.Lease;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import dev.holdfast.TurnedClock;
import dev.holdfast.app.Forgetful;
import dev.holdfast.internal.hold.LeaseRef;
import dev.holdfast.internal.session.AcquireOrigin;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A dropped lease is warned of once, with the place where it was acquired if that is tracked. */
@Tag("client")
final class LeakTrackingTest {
    private interface Deed {
        void with(DistributedLock lock) throws Exception;
    }

    private static final Map<String, Deed> WAYS_TO_DROP = Map.of(
            "acquires", Forgetful::acquires,
            "triesToAcquire", Forgetful::triesToAcquire,
            "acquiresAsync", Forgetful::acquiresAsync,
            "triesToAcquireAsync", Forgetful::triesToAcquireAsync);

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final TurnedClock clock = new TurnedClock();

    private Holdfast tracking(LeakTracking level) {
        return redis.client(builder -> clock.turns(builder).leakTracking(level));
    }

    /** {@return the warning about the lease that this drops, with the lines that follow it} */
    private String warningOf(Holdfast client, Deed drop) throws Exception {
        DistributedLock lock = client.getLock(redis.name());
        try (CapturedWarnings warnings = new CapturedWarnings()) {
            drop.with(lock);
            while (warnings.of(LeaseRef.class).isEmpty()) { // what was not collected yet is renewed
                System.gc();
                long renewals = client.stats().renewals();
                clock.advance(TurnedClock.RENEWAL);
                Patience.await()
                        .until(() -> client.stats().renewals() > renewals
                                || !warnings.of(LeaseRef.class).isEmpty());
            }
            clock.advance(TurnedClock.WATCHDOG);
            Patience.await().until(() -> client.stats().lost() == 1);
            redis.deleteKeys();
            assertThat(warnings.of(LeaseRef.class))
                    .singleElement()
                    .asString()
                    .contains(redis.name(), client.clientId());
            return warnings.text();
        }
    }

    /** By whichever method it was acquired, the first frame shown is the caller's. */
    @Test
    void every_showsTheCaller() throws Exception {
        for (Map.Entry<String, Deed> way : WAYS_TO_DROP.entrySet()) {
            String warning = warningOf(tracking(LeakTracking.EVERY), way.getValue());
            assertThat(warning)
                    .containsPattern("was acquired \\d+ ms ago")
                    .containsPattern("Origin: acquired by thread '"
                            + Thread.currentThread().getName() + "'\\R" + "\\s+at dev.holdfast.app.Forgetful."
                            + way.getKey() + "\\(")
                    .doesNotContain("leakTracking(EVERY)");
        }
    }

    /** A lease that is not renewed is examined only when it expires; then it is warned of as well. */
    @Test
    void every_explicitLease() throws Exception {
        Deed drop = lock -> Forgetful.acquiresFor(lock, Duration.ofSeconds(1));
        assertThat(warningOf(tracking(LeakTracking.EVERY), drop))
                .containsPattern("\\R\\s+at dev.holdfast.app.Forgetful.acquiresFor\\(");
    }

    /** Without tracking the warning names the lease only, and how to turn tracking on. */
    @Test
    void off_showsNoPlace() throws Exception {
        assertThat(warningOf(tracking(LeakTracking.OFF), Forgetful::acquires))
                .contains("leakTracking(EVERY)")
                .doesNotContain("Forgetful");
    }

    /** A lease that was closed, or was lost while still referenced, is not warned of. */
    @Test
    void kept_isNotWarnedOf() {
        Holdfast client = tracking(LeakTracking.EVERY);
        DistributedLock lock = client.getLock(redis.name());
        try (CapturedWarnings warnings = new CapturedWarnings()) {
            lock.acquire().close();
            Lease lease = lock.acquire(TurnedClock.WATCHDOG);
            clock.advance(TurnedClock.WATCHDOG);
            Patience.get(lease.lost().toCompletableFuture());
            System.gc();
            assertThat(lease.isValid()).isFalse();
            assertThat(warnings.of(LeaseRef.class)).isEmpty();
            redis.deleteKeys();
        }
    }

    /**
     * The origin is recorded for one of a hundred acquisitions when sampling, for each when tracking all, and for none
     * when off.
     */
    @Test
    void origin_howOften() {
        assertThat(remembered(LeakTracking.OFF, 1_000)).isZero();
        assertThat(remembered(LeakTracking.EVERY, 1_000)).isEqualTo(1_000);
        assertThat(remembered(LeakTracking.SAMPLED, 100_000)).isBetween(700L, 1_300L);
    }

    private static long remembered(LeakTracking level, int acquisitions) {
        return IntStream.range(0, acquisitions)
                .filter(i -> AcquireOrigin.of(level) != null)
                .count();
    }
}

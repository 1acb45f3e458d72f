package dev.holdfast.script;

import static dev.holdfast.script.RawScripts.ENDLESS;
import static dev.holdfast.script.RawScripts.LEASE;
import static dev.holdfast.script.RawScripts.OTHER;
import static dev.holdfast.script.RawScripts.OWNER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each reply of {@code acquire.lua}, and the state of the keys after it. */
@Tag("script")
final class AcquireScriptTest {
    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    private final String lock = scripts.newLock();

    /** A free lock is acquired, with its count, its tenure and its lease. */
    @Test
    void acquire_free() {
        assertThat(scripts.acquire(lock, OWNER, 3, 1, LEASE)).isEqualTo(3L);
        assertThat(scripts.hash(lock)).isEqualTo(Map.of(OWNER, "1", OWNER + ":tenure", "3"));
        assertThat(scripts.left(lock)).isBetween(LEASE.dividedBy(2), LEASE);
    }

    /** The label of a client is written beside its hold, and stays for as long as the client owns the lock. */
    @Test
    void acquire_withLabel() {
        Object[] words = {OWNER, 3, 1, LEASE.toMillis(), "pod 7"};
        for (int twice = 0; twice < 2; twice++) {
            assertThat(scripts.run("acquire.lua", List.of(lock), words)).isEqualTo(3L);
            assertThat(scripts.hash(lock))
                    .isEqualTo(Map.of(OWNER, "1", OWNER + ":tenure", "3", RawScripts.LABEL, "pod 7"));
        }
        scripts.acquire(lock, OWNER, 3, 2, LEASE);
        scripts.release(lock, OWNER, 3, 1);
        assertThat(scripts.hash(lock)).containsEntry(RawScripts.LABEL, "pod 7");
        scripts.release(lock, OWNER, 3, 0);
        assertThat(scripts.hash(lock)).isEmpty();
    }

    /** The label of a client that finds the lock busy is not written. */
    @Test
    void acquire_busy_withLabel() {
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        scripts.run("acquire.lua", List.of(lock), OTHER, 1, 1, LEASE.toMillis(), "pod 8");
        assertThat(scripts.hash(lock)).containsOnlyKeys(OWNER, OWNER + ":tenure");
    }

    /** A tenure as large as a clock's time is kept exactly, whatever its digits. */
    @Test
    void acquire_largeTenure() {
        for (long tenure : new long[] {1_790_000_000_000_000L, 1_790_123_456_789_012L, (1L << 52) - 1}) {
            assertThat(scripts.acquire(lock, OWNER, tenure, 1, LEASE)).isEqualTo(tenure);
            assertThat(scripts.hash(lock)).containsEntry(OWNER + ":tenure", Long.toString(tenure));
            assertThat(scripts.acquire(lock, OWNER, tenure - 1, 1, LEASE)).isEqualTo(tenure);
            assertThat(scripts.acquire(lock, OWNER, tenure, 2, LEASE)).isEqualTo(tenure);
            assertThat(scripts.release(lock, OWNER, tenure, 1)).isEqualTo(tenure);
        }
    }

    /** A re-entry sets the count to the value it names; sending it again does not add another level. */
    @Test
    void acquire_reentry() {
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        for (int twice = 0; twice < 2; twice++) {
            assertThat(scripts.acquire(lock, OWNER, 3, 2, LEASE)).isEqualTo(3L);
            assertThat(scripts.hash(lock)).containsEntry(OWNER, "2");
        }
    }

    /** A late re-entry does not lower a count that has grown since. */
    @Test
    void acquire_reentryBelowCount() {
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        scripts.acquire(lock, OWNER, 3, 3, LEASE);
        assertThat(scripts.acquire(lock, OWNER, 3, 2, LEASE)).isEqualTo(3L);
        assertThat(scripts.hash(lock)).containsEntry(OWNER, "3");
    }

    /** A re-entry acquires neither a free lock nor one with an older tenure, and replies that its hold is gone. */
    @Test
    void acquire_reentryOfGoneHold() {
        assertThat(scripts.acquire(lock, OWNER, 3, 2, LEASE)).isEqualTo(0L);
        assertThat(scripts.hash(lock)).isEmpty();
        scripts.acquire(lock, OWNER, 2, 1, LEASE);
        assertThat(scripts.acquire(lock, OWNER, 3, 2, LEASE)).isEqualTo(0L);
        assertThat(scripts.hash(lock)).isEqualTo(Map.of(OWNER, "1", OWNER + ":tenure", "2"));
    }

    /** An older tenure of the same owner, left without a holder, is adopted, and its count starts anew. */
    @Test
    void acquire_olderTenure() {
        scripts.acquire(lock, OWNER, 2, 1, LEASE);
        scripts.acquire(lock, OWNER, 2, 4, LEASE);
        assertThat(scripts.acquire(lock, OWNER, 3, 1, LEASE)).isEqualTo(3L);
        assertThat(scripts.hash(lock)).isEqualTo(Map.of(OWNER, "1", OWNER + ":tenure", "3"));
    }

    /** A late acquire finds a newer tenure of its owner, returns it and changes nothing. */
    @Test
    void acquire_newerTenure() {
        scripts.acquire(lock, OWNER, 4, 1, LEASE);
        assertThat(scripts.acquire(lock, OWNER, 3, 1, LEASE.multipliedBy(2))).isEqualTo(4L);
        assertThat(scripts.acquire(lock, OWNER, 3, 2, LEASE.multipliedBy(2))).isEqualTo(4L);
        assertThat(scripts.hash(lock)).isEqualTo(Map.of(OWNER, "1", OWNER + ":tenure", "4"));
        assertThat(scripts.left(lock)).isLessThanOrEqualTo(LEASE);
    }

    /** Another owner's lock is busy for the rest of its lease, for a first acquire and for a re-entry. */
    @Test
    void acquire_busy() {
        scripts.acquire(lock, OTHER, 9, 1, LEASE);
        for (int holds = 1; holds <= 2; holds++) {
            assertThat((Long) scripts.acquire(lock, OWNER, 3, holds, LEASE)).isBetween(-LEASE.toMillis(), -1L);
        }
        assertThat(scripts.hash(lock)).isEqualTo(Map.of(OTHER, "1", OTHER + ":tenure", "9"));
    }

    /** A lock without expiry is reported as busy without end, not as gone and not as busy for 0 ms. */
    @Test
    void acquire_busyWithoutEnd() {
        scripts.redis().hset(lock, OTHER, "1");
        assertThat(scripts.acquire(lock, OWNER, 3, 1, LEASE)).isEqualTo(ENDLESS);
    }

    /** A hold that another program wrote without a tenure makes the lock busy like any other. */
    @Test
    void acquire_busyWithoutTenure() {
        scripts.redis().hset(lock, OTHER, "1");
        scripts.redis().pexpire(lock, LEASE);
        assertThat((Long) scripts.acquire(lock, OWNER, 3, 1, LEASE)).isBetween(-LEASE.toMillis(), -1L);
    }

    /** A re-entry can extend the lease, never shorten it. */
    @Test
    void acquire_leaseNeverShrinks() {
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        scripts.acquire(lock, OWNER, 3, 2, Duration.ofSeconds(1));
        assertThat(scripts.left(lock)).isGreaterThan(LEASE.dividedBy(2));
        scripts.acquire(lock, OWNER, 3, 3, LEASE.multipliedBy(2));
        assertThat(scripts.left(lock)).isGreaterThan(LEASE);
    }

    /**
     * If the lease cannot be set, nothing is written: neither to a free lock, nor to the count or tenure of one that is
     * held.
     */
    @ParameterizedTest
    @CsvSource({"3, 2", "4, 1"})
    void acquire_leaseRefused_changesNothing(long tenure, int holds) {
        Duration refused = Duration.ofMillis(Long.MAX_VALUE);
        assertThatThrownBy(() -> scripts.acquire(lock, OWNER, tenure, 1, refused))
                .hasMessageContaining("not an integer");
        assertThat(scripts.hash(lock)).isEmpty();
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        Map<String, String> before = scripts.hash(lock);

        assertThatThrownBy(() -> scripts.acquire(lock, OWNER, tenure, holds, refused))
                .hasMessageContaining("not an integer");

        assertThat(scripts.hash(lock)).isEqualTo(before);
        assertThat(scripts.left(lock)).isBetween(LEASE.dividedBy(2), LEASE);
    }
}

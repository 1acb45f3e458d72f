package dev.holdfast.script;

import static dev.holdfast.script.RawScripts.CHANNEL;
import static dev.holdfast.script.RawScripts.ENDLESS;
import static dev.holdfast.script.RawScripts.LEASE;
import static dev.holdfast.script.RawScripts.OTHER;
import static dev.holdfast.script.RawScripts.OWNER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Announcements;
import io.lettuce.core.RedisCommandExecutionException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each reply of {@code handoff.lua}, and the state of the keys after it. */
@Tag("script")
final class HandoffScriptTest {
    /** Two more owners of the client of {@link RawScripts#OWNER}. */
    private static final String NEXT = "6f8e:18";

    private static final String LAST = "6f8e:19";

    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    private final String lock = scripts.newLock();

    private static Map<String, String> heldOnceBy(String owner, long tenure) {
        return Map.of(owner, "1", owner + ":tenure", String.valueOf(tenure));
    }

    /** The lock is the next owner's, with count 1 whatever the count was, and nothing of the previous hold is left. */
    @Test
    void handoff_passesOn() {
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        scripts.acquire(lock, OWNER, 3, 2, LEASE);
        assertThat(scripts.handoff(lock, NEXT, 4, LEASE, OWNER, 3)).isEqualTo(4L);
        assertThat(scripts.hash(lock)).isEqualTo(heldOnceBy(NEXT, 4));
    }

    /** Tenures as large as a clock's time are compared exactly, and the client's label stays. */
    @Test
    void handoff_largeTenures() {
        long first = 1_790_000_000_000_000L;
        scripts.run("acquire.lua", List.of(lock), OWNER, first, 1, LEASE.toMillis(), "pod 7");
        assertThat(scripts.handoff(lock, NEXT, first + 2, LEASE, OWNER, first + 1))
                .asInstanceOf(InstanceOfAssertFactories.LONG)
                .isNegative();
        assertThat(scripts.handoff(lock, NEXT, first + 1, LEASE, OWNER, first)).isEqualTo(first + 1);
        assertThat(scripts.handoff(lock, OWNER, first + 100_000_000, LEASE, NEXT, first + 1))
                .isEqualTo(first + 100_000_000);
        assertThat(scripts.handoff(lock, NEXT, first + 100_000_001, LEASE, OWNER, first + 100_000_000))
                .isEqualTo(first + 100_000_001);
        assertThat(scripts.hash(lock))
                .containsEntry(NEXT + ":tenure", Long.toString(first + 100_000_001))
                .containsEntry(RawScripts.LABEL, "pod 7")
                .hasSize(3);
    }

    /** No release message is published, since the lock is not free. */
    @Test
    void handoff_isNotAnnounced() {
        try (Announcements messages = Announcements.on(scripts.server(), CHANNEL)) {
            scripts.acquire(lock, OWNER, 3, 1, LEASE);
            scripts.handoff(lock, NEXT, 4, LEASE, OWNER, 3);
            scripts.handoff(lock, NEXT, 4, LEASE, OWNER, 3);
            scripts.release(lock, NEXT, 4, 0);
            assertThat(messages.untilEnd()).containsExactly("0");
        }
    }

    /** The key exists throughout: no part of the script deletes it, not even for a moment. */
    @Test
    void handoff_keyStays() {
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        scripts.redis().configSet("notify-keyspace-events", "Kg");
        try (Announcements messages = Announcements.on(scripts.server(), "__keyspace@0__:" + lock)) {
            scripts.handoff(lock, NEXT, 4, LEASE, OWNER, 3);
            scripts.handoff(lock, NEXT, 4, LEASE, OWNER, 3);
            scripts.handoff(lock, NEXT, 5, LEASE, NEXT, 4);
            assertThat(messages.untilEnd()).isNotEmpty().doesNotContain("del", "expired");
        } finally {
            scripts.redis().configSet("notify-keyspace-events", "");
        }
    }

    /** The lease is the next owner's: it replaces what was left of the previous one, be that less or more. */
    @ParameterizedTest
    @CsvSource({"60000, 20000", "20000, 60000"})
    void handoff_replacesTheLease(long before, long after) {
        scripts.acquire(lock, OWNER, 3, 1, Duration.ofMillis(before));
        scripts.handoff(lock, NEXT, 4, Duration.ofMillis(after), OWNER, 3);
        assertThat(scripts.left(lock)).isBetween(Duration.ofMillis(after - 10_000), Duration.ofMillis(after));
    }

    /** A key without expiry has one afterwards. */
    @Test
    void handoff_ofEndlessKey_setsTheLease() {
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        scripts.redis().persist(lock);
        assertThat(scripts.handoff(lock, NEXT, 4, LEASE, OWNER, 3)).isEqualTo(4L);
        assertThat(scripts.left(lock)).isBetween(Duration.ofSeconds(1), LEASE);
    }

    /** A second sending changes nothing, except that it restores a lease that is shorter than requested. */
    @Test
    void handoff_again() {
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        scripts.handoff(lock, NEXT, 4, LEASE, OWNER, 3);
        scripts.acquire(lock, NEXT, 4, 2, LEASE);
        scripts.redis().pexpire(lock, Duration.ofSeconds(20));
        assertThat(scripts.handoff(lock, NEXT, 4, LEASE, OWNER, 3)).isEqualTo(4L);
        assertThat(scripts.hash(lock)).isEqualTo(Map.of(NEXT, "2", NEXT + ":tenure", "4"));
        assertThat(scripts.left(lock)).isBetween(Duration.ofSeconds(30), LEASE);
        scripts.redis().pexpire(lock, LEASE.multipliedBy(2));
        scripts.handoff(lock, NEXT, 4, LEASE, OWNER, 3);
        assertThat(scripts.left(lock)).isGreaterThan(LEASE);
    }

    /** A late handoff finds a newer tenure of its owner, returns it and changes nothing. */
    @Test
    void handoff_newerTenure() {
        scripts.acquire(lock, NEXT, 5, 1, LEASE);
        assertThat(scripts.handoff(lock, NEXT, 4, LEASE, OWNER, 3)).isEqualTo(5L);
        assertThat(scripts.hash(lock)).isEqualTo(heldOnceBy(NEXT, 5));
    }

    /** Only the named tenure is handed off: neither a newer nor an older one of the same owner is. */
    @ParameterizedTest
    @ValueSource(ints = {2, 5})
    void handoff_ofAnotherTenure(int held) {
        scripts.acquire(lock, OWNER, held, 1, LEASE);
        assertThat((Long) scripts.handoff(lock, NEXT, 6, LEASE, OWNER, 3)).isBetween(-LEASE.toMillis(), -1L);
        assertThat(scripts.hash(lock)).isEqualTo(heldOnceBy(OWNER, held));
    }

    /** Another owner's hold is left alone, and the reply is what its lease has left. */
    @Test
    void handoff_ofAnother() {
        scripts.acquire(lock, OTHER, 3, 1, LEASE);
        assertThat((Long) scripts.handoff(lock, NEXT, 4, LEASE.dividedBy(2), OWNER, 3))
                .isBetween(-LEASE.toMillis(), -1L);
        assertThat(scripts.left(lock)).isGreaterThan(LEASE.dividedBy(2));
        scripts.redis().persist(lock);
        assertThat(scripts.handoff(lock, NEXT, 4, LEASE, OWNER, 3)).isEqualTo(ENDLESS);
        assertThat(scripts.hash(lock)).isEqualTo(heldOnceBy(OTHER, 3));
    }

    /** A handoff never acquires a free lock. */
    @Test
    void handoff_free() {
        assertThat(scripts.handoff(lock, NEXT, 4, LEASE, OWNER, 3)).isEqualTo(0L);
        assertThat(scripts.redis().exists(lock)).isZero();
    }

    /** A handoff to the same owner gives it a new tenure. */
    @Test
    void handoff_toItself() {
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        scripts.acquire(lock, OWNER, 3, 2, LEASE);
        assertThat(scripts.handoff(lock, OWNER, 4, LEASE, OWNER, 3)).isEqualTo(4L);
        assertThat(scripts.hash(lock)).isEqualTo(heldOnceBy(OWNER, 4));
    }

    /** Any hold of the chain may have the lock: the handoff starts from that one. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void handoff_ofAChain(int holder) {
        String[] chain = {OWNER, NEXT, OWNER};
        scripts.acquire(lock, chain[holder], 3 + holder, 1, LEASE);
        assertThat(scripts.handoff(lock, LAST, 6, LEASE, chain[0], 3, chain[1], 4, chain[2], 5))
                .isEqualTo(6L);
        assertThat(scripts.hash(lock)).isEqualTo(heldOnceBy(LAST, 6));
    }

    /** The receiver may be an owner that was in the chain before. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void handoff_ofAChain_toOneOfIt(int holder) {
        String[] chain = {OWNER, NEXT};
        scripts.acquire(lock, chain[holder], 3 + holder, 1, LEASE);
        assertThat(scripts.handoff(lock, OWNER, 5, LEASE, chain[0], 3, chain[1], 4))
                .isEqualTo(5L);
        assertThat(scripts.hash(lock)).isEqualTo(heldOnceBy(OWNER, 5));
    }

    /** If no hold of the chain has the lock, nothing is done. */
    @Test
    void handoff_ofAChain_noneHolds() {
        assertThat(scripts.handoff(lock, LAST, 6, LEASE, OWNER, 3, NEXT, 4)).isEqualTo(0L);
        scripts.acquire(lock, OTHER, 3, 1, LEASE);
        assertThat((Long) scripts.handoff(lock, LAST, 6, LEASE, OWNER, 3, NEXT, 4))
                .isBetween(-LEASE.toMillis(), -1L);
        assertThat(scripts.hash(lock)).isEqualTo(heldOnceBy(OTHER, 3));
    }

    /** A lease that Redis cannot set is refused, and nothing is changed. */
    @Test
    void handoff_leaseRefused() {
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        assertThatThrownBy(() -> scripts.handoff(lock, NEXT, 4, Duration.ofMillis(Long.MAX_VALUE), OWNER, 3))
                .isInstanceOf(RedisCommandExecutionException.class)
                .hasMessageContaining("out of range");
        assertThat(scripts.hash(lock)).isEqualTo(heldOnceBy(OWNER, 3));
        assertThat(scripts.left(lock)).isBetween(Duration.ofSeconds(1), LEASE);
    }

    /** A key of another type is refused and left alone. */
    @Test
    void handoff_anotherType() {
        scripts.redis().set(lock, "not a lock");
        assertThatThrownBy(() -> scripts.handoff(lock, NEXT, 4, LEASE, OWNER, 3))
                .isInstanceOf(RedisCommandExecutionException.class)
                .hasMessageContaining("WRONGTYPE");
        assertThat(scripts.redis().get(lock)).isEqualTo("not a lock");
    }

    /** A server that is out of memory still executes a handoff. */
    @Test
    void handoff_outOfMemory() {
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        scripts.redis().configSet("maxmemory", "1");
        try {
            assertThat(scripts.handoff(lock, NEXT, 4, LEASE, OWNER, 3)).isEqualTo(4L);
        } finally {
            scripts.redis().configSet("maxmemory", "0");
        }
        assertThat(scripts.hash(lock)).isEqualTo(heldOnceBy(NEXT, 4));
    }
}

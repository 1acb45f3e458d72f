package dev.holdfast.script;

import static dev.holdfast.script.RawScripts.ENDLESS;
import static dev.holdfast.script.RawScripts.LEASE;
import static dev.holdfast.script.RawScripts.OTHER;
import static dev.holdfast.script.RawScripts.OWNER;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.api.StatefulRedisConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each reply of {@code acquire-several.lua}, and the state of the keys after it. */
@Tag("script")
final class AcquireSeveralScriptTest {
    private static final boolean SOME = true;
    private static final boolean ALL = false;

    /** Tenures are as large as a clock's time, which Lua would write with an exponent. */
    private static final long FIRST = 1_790_123_456_789_012L;

    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    private final List<String> locks = List.of(scripts.newLock(), scripts.newLock(), scripts.newLock());

    private List<Object> acquire(boolean some) {
        return replies(scripts.run("acquire-several.lua", locks, words(false, some)));
    }

    /** The words for each lock: the owner, a tenure that is larger by one each, and the lease. */
    private Object[] words(boolean fenced, boolean some) {
        List<Object> words = new ArrayList<>(List.of(fenced ? 1 : 0, some ? 1 : 0, "pod 7"));
        for (int i = 0; i < locks.size(); i++) {
            words.addAll(List.of(OWNER, FIRST + i, LEASE.toMillis()));
        }
        return words.toArray();
    }

    @SuppressWarnings("unchecked") // the reply is an array
    private static List<Object> replies(Object reply) {
        return (List<Object>) reply;
    }

    private Map<String, String> held(int lock) {
        return Map.of(OWNER, "1", OWNER + ":tenure", Long.toString(FIRST + lock), RawScripts.LABEL, "pod 7");
    }

    private void checkAllHeld() {
        for (int i = 0; i < locks.size(); i++) {
            assertThat(scripts.hash(locks.get(i))).isEqualTo(held(i));
            assertThat(scripts.left(locks.get(i))).isBetween(LEASE.dividedBy(2), LEASE);
        }
    }

    /** Free locks are all acquired, each with its tenure, lease and label; a second run changes nothing. */
    @Test
    void allFree_twice() {
        for (int twice = 0; twice < 2; twice++) {
            for (boolean some : new boolean[] {SOME, ALL}) {
                assertThat(acquire(some)).containsExactly(FIRST, 0L, FIRST + 1, 0L, FIRST + 2, 0L);
                checkAllHeld();
            }
        }
    }

    /** If one is busy, those before it are acquired, and none behind it, which is not reported as busy. */
    @Test
    void oneBusy_thoseBeforeIt() {
        scripts.acquire(locks.get(1), OTHER, 3, 1, LEASE);
        List<Object> replies = acquire(SOME);
        assertThat(replies.get(0)).isEqualTo(FIRST);
        assertThat((Long) replies.get(2)).isBetween(-LEASE.toMillis(), -1L);
        assertThat(replies.get(4)).isEqualTo(0L);
        assertThat(scripts.hash(locks.get(0))).isEqualTo(held(0));
        assertThat(scripts.hash(locks.get(1))).containsOnlyKeys(OTHER, OTHER + ":tenure");
        assertThat(scripts.hash(locks.get(2))).isEmpty();
    }

    /** Or none at all. */
    @Test
    void oneBusy_none() {
        scripts.acquire(locks.get(2), OTHER, 3, 1, LEASE);
        scripts.redis().persist(locks.get(2));
        assertThat(acquire(ALL)).containsExactly(0L, 0L, 0L, 0L, ENDLESS, 0L);
        assertThat(scripts.hash(locks.get(0))).isEmpty();
        assertThat(scripts.hash(locks.get(1))).isEmpty();
    }

    /** A late run finds newer tenures of its owners, and changes nothing. */
    @Test
    void late() {
        for (String lock : locks) {
            scripts.acquire(lock, OWNER, FIRST + 9, 1, LEASE);
        }
        assertThat(acquire(ALL)).containsExactly(FIRST + 9, 0L, FIRST + 9, 0L, FIRST + 9, 0L);
        assertThat(scripts.hash(locks.get(0))).containsEntry(OWNER + ":tenure", Long.toString(FIRST + 9));
    }

    /** Each fenced lock gets its next token, and keeps it if the script runs again. */
    @Test
    void fenced_haveTokens() {
        List<String> keys = new ArrayList<>();
        for (String lock : locks) {
            keys.addAll(List.of(lock, RawScripts.tokens(lock)));
            scripts.redis().set(RawScripts.tokens(lock), "4000000000000000");
        }
        for (int twice = 0; twice < 2; twice++) {
            List<Object> replies = replies(scripts.run("acquire-several.lua", keys, words(true, ALL)));
            assertThat(replies)
                    .containsExactly(
                            FIRST, "4000000000000001", FIRST + 1, "4000000000000001", FIRST + 2, "4000000000000001");
        }
        assertThat(scripts.hash(locks.get(2))).containsEntry(OWNER + ":token", "4000000000000001");
    }

    /** A key that is no lock is reported by itself; those behind it are not acquired, those before it only on request. */
    @Test
    void oneIsNoLock() {
        scripts.redis().set(locks.get(1), "text");
        List<Object> replies = acquire(ALL);
        assertThat(replies.get(0)).isEqualTo(0L);
        assertThat(replies.get(2)).asString().contains("WRONGTYPE");
        assertThat(replies.get(4)).isEqualTo(0L);
        assertThat(scripts.hash(locks.get(0))).isEmpty();
        assertThat(acquire(SOME).get(0)).isEqualTo(FIRST);
        assertThat(scripts.hash(locks.get(2))).isEmpty();
    }

    /** Without the rights that it needs, the first lock has the error, and no key is left without an expiry. */
    @Test
    void rightsMissing() {
        for (String missing : List.of("-hset", "-pexpire", "-hget", "-pttl")) {
            try (StatefulRedisConnection<String, String> restricted =
                    scripts.connectAs("app", "reset", "on", ">pw", "+@all", missing, "~*", "&*")) {
                List<Object> replies =
                        replies(scripts.runOver(restricted, "acquire-several.lua", locks, words(false, SOME)));
                assertThat(replies.get(0)).as(missing).isInstanceOf(String.class);
                assertThat(replies.get(2)).isEqualTo(0L);
                assertThat(scripts.redis().exists(locks.toArray(String[]::new)))
                        .as(missing)
                        .isZero();
            }
        }
    }

    /** A hold that cannot be adopted has the lease that it had. */
    @Test
    void rightMissing_adoption() {
        scripts.acquire(locks.get(0), OWNER, 1, 1, LEASE.multipliedBy(10));
        try (StatefulRedisConnection<String, String> restricted =
                scripts.connectAs("app", "reset", "on", ">pw", "+@all", "-hset", "~*", "&*")) {
            List<Object> replies =
                    replies(scripts.runOver(restricted, "acquire-several.lua", locks, words(false, SOME)));
            assertThat(replies.get(0)).asString().containsAnyOf("user executing", "ACL failure");
        }
        assertThat(scripts.left(locks.get(0))).isGreaterThan(LEASE.multipliedBy(9));
        assertThat(scripts.hash(locks.get(0))).containsEntry(OWNER + ":tenure", "1");
    }
}

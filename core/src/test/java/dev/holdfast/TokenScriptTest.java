package dev.holdfast;

import static dev.holdfast.RawScripts.LEASE;
import static dev.holdfast.RawScripts.OWNER;
import static dev.holdfast.RawScripts.STRANGER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisCommandExecutionException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which tokens {@code acquire.lua} and {@code handoff.lua} draw for a fenced lock, and from what. */
final class TokenScriptTest {
    private static final String NEXT = "6f8e:18";

    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    private final String lock = scripts.newLock();
    private final String tokens = RawScripts.tokens(lock);

    private long acquire(String owner, long tenure, int holds) {
        return TokenState.toldBy(scripts.acquireFenced(lock, owner, tenure, holds, LEASE));
    }

    private long micros() {
        List<String> time = scripts.redis().time();
        return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
    }

    /** The token is the server's time in microseconds; it is kept beside the hold, and as the last one that was drawn. */
    @Test
    void acquire_drawsTheTime() {
        long before = micros();
        long token = acquire(OWNER, 3, 1);
        assertThat(token).isBetween(before, micros());
        assertThat(scripts.hash(lock))
                .isEqualTo(Map.of(OWNER, "1", OWNER + ":tenure", "3", OWNER + ":token", String.valueOf(token)));
        assertThat(scripts.redis().get(tokens)).isEqualTo(String.valueOf(token));
    }

    /** A last token from before, such as a counter of Redisson's, only makes it larger. */
    @ParameterizedTest
    @ValueSource(strings = {"-9223372036854775808", "-1", "0", "7", "1700000000000000"})
    void acquire_lastTokenIsSmaller_drawsTheTime(String last) {
        scripts.redis().set(tokens, last);
        long before = micros();
        assertThat(acquire(OWNER, 3, 1)).isBetween(before, micros());
    }

    /** A clock that has gone back, or a last token from nowhere: the next is one more, and exact beyond what Lua can count. */
    @ParameterizedTest
    @ValueSource(
            longs = {4_000_000_000_000_000L, 9_007_199_254_740_992L, 9_007_199_254_740_993L, 900_000_000_000_000_000L})
    void acquire_lastTokenIsLarger_drawsOneMore(long last) {
        scripts.redis().set(tokens, String.valueOf(last));
        assertThat(acquire(OWNER, 3, 1)).isEqualTo(last + 1);
        scripts.release(lock, OWNER, 3, 0);
        assertThat(acquire(STRANGER, 1, 1)).isEqualTo(last + 2);
    }

    /** The hold's own token comes with a re-entry and a second sending, even if the last one is another by now, or gone. */
    @Test
    void acquire_sameTenure_drawsNothing() {
        long token = acquire(OWNER, 3, 1);
        assertThat(acquire(OWNER, 3, 1)).isEqualTo(token);
        scripts.redis().incr(tokens);
        assertThat(acquire(OWNER, 3, 2)).isEqualTo(token);
        scripts.redis().del(tokens);
        assertThat(acquire(OWNER, 3, 3)).isEqualTo(token);
        assertThat(scripts.redis().exists(tokens)).isZero();
    }

    /** To adopt an older tenure of the same owner is a new hold, with a new token. */
    @Test
    void acquire_olderTenure_drawsAnother() {
        long token = acquire(OWNER, 3, 1);
        assertThat(acquire(OWNER, 4, 1)).isGreaterThan(token);
    }

    /** Who comes late, or finds the lock busy, or its hold gone, gets no token and takes none. */
    @Test
    void acquire_notGranted_drawsNothing() {
        assertThat(acquire(OWNER, 3, 2)).isZero();
        long token = acquire(STRANGER, 9, 1);
        assertThat(acquire(OWNER, 3, 1)).isZero();
        assertThat(acquire(OWNER, 3, 2)).isZero();
        assertThat(scripts.acquireFenced(lock, STRANGER, 8, 1, LEASE)).isEqualTo(9L);
        assertThat(scripts.redis().get(tokens)).isEqualTo(String.valueOf(token));
    }

    /** The next owner has a token of its own; nothing is left of the one before. A second time it is told the same. */
    @Test
    void handoff_drawsAnother() {
        long before = acquire(OWNER, 3, 1);
        long token = TokenState.toldBy(scripts.handoffFenced(lock, NEXT, 4, LEASE, OWNER, 3));
        assertThat(token).isGreaterThan(before);
        assertThat(scripts.hash(lock))
                .isEqualTo(Map.of(NEXT, "1", NEXT + ":tenure", "4", NEXT + ":token", String.valueOf(token)));
        assertThat(TokenState.toldBy(scripts.handoffFenced(lock, NEXT, 4, LEASE, OWNER, 3)))
                .isEqualTo(token);
        assertThat(scripts.redis().get(tokens)).isEqualTo(String.valueOf(token));
    }

    /** A handoff that passes nothing on draws nothing. */
    @Test
    void handoff_notPassed_drawsNothing() {
        assertThat(scripts.handoffFenced(lock, NEXT, 4, LEASE, OWNER, 3)).isEqualTo(0L);
        long token = acquire(STRANGER, 9, 1);
        assertThat(TokenState.toldBy(scripts.handoffFenced(lock, NEXT, 4, LEASE, OWNER, 3)))
                .isZero();
        assertThat(scripts.redis().get(tokens)).isEqualTo(String.valueOf(token));
    }

    /** A key of tokens that is no number makes no hold, and of one that is passed on it leaves the holder. */
    @Test
    void tokens_ofAnotherProgram_areRefused() {
        scripts.redis().set(tokens, "not a token");
        assertThatThrownBy(() -> acquire(OWNER, 3, 1))
                .isInstanceOf(RedisCommandExecutionException.class)
                .hasMessageContaining("not an integer");
        assertThat(scripts.redis().exists(lock)).isZero();

        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        assertThatThrownBy(() -> scripts.handoffFenced(lock, NEXT, 4, LEASE, OWNER, 3))
                .isInstanceOf(RedisCommandExecutionException.class);
        assertThat(scripts.hash(lock)).isEqualTo(Map.of(OWNER, "1", OWNER + ":tenure", "3"));
        assertThat(scripts.redis().get(tokens)).isEqualTo("not a token");
    }

    /** A lease that Redis cannot set leaves a lock free that was free. */
    @Test
    void acquire_leaseRefused_leavesNothing() {
        assertThatThrownBy(() -> scripts.acquireFenced(lock, OWNER, 3, 1, Duration.ofMillis(Long.MAX_VALUE)))
                .isInstanceOf(RedisCommandExecutionException.class);
        assertThat(scripts.redis().exists(lock)).isZero();
    }

    /** A server that takes in no more data still passes a lock on. */
    @Test
    void handoff_outOfMemory() {
        long before = acquire(OWNER, 3, 1);
        scripts.redis().configSet("maxmemory", "1");
        try {
            assertThat(TokenState.toldBy(scripts.handoffFenced(lock, NEXT, 4, LEASE, OWNER, 3)))
                    .isGreaterThan(before);
        } finally {
            scripts.redis().configSet("maxmemory", "0");
        }
    }
}

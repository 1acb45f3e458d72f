package dev.holdfast.script;

import static dev.holdfast.script.RawScripts.LEASE;
import static dev.holdfast.script.RawScripts.OTHER;
import static dev.holdfast.script.RawScripts.OWNER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisCommandExecutionException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which tokens {@code acquire.lua} and {@code handoff.lua} draw for a fenced lock, and from what. */
@Tag("script")
final class TokenScriptTest {
    private static final String NEXT = "6f8e:18";

    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    private final String lock = scripts.newLock();
    private final String tokens = RawScripts.tokens(lock);

    private long acquire(String owner, long tenure, int holds) {
        return TokenState.tokenIn(scripts.acquireFenced(lock, owner, tenure, holds, LEASE));
    }

    private long micros() {
        List<String> time = scripts.redis().time();
        return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
    }

    /** A plain hold is handed off to a fenced one with a token, and a fenced hold to a plain one without. */
    @Test
    void handoff_betweenKinds() {
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        long token = TokenState.tokenIn(scripts.handoffFenced(lock, NEXT, 4, LEASE, OWNER, 3));
        assertThat(scripts.hash(lock))
                .isEqualTo(Map.of(NEXT, "1", NEXT + ":tenure", "4", NEXT + ":token", String.valueOf(token)));

        assertThat(scripts.handoff(lock, OWNER, 5, LEASE, NEXT, 4)).isEqualTo(5L);
        assertThat(scripts.hash(lock)).isEqualTo(Map.of(OWNER, "1", OWNER + ":tenure", "5"));
    }

    /** The token is the server's time in microseconds; it is kept beside the hold, and as the last one drawn. */
    @Test
    void acquire_drawsTheTime() {
        long before = micros();
        long token = acquire(OWNER, 3, 1);
        assertThat(token).isBetween(before, micros());
        assertThat(scripts.hash(lock))
                .isEqualTo(Map.of(OWNER, "1", OWNER + ":tenure", "3", OWNER + ":token", String.valueOf(token)));
        assertThat(scripts.redis().get(tokens)).isEqualTo(String.valueOf(token));
    }

    /** An existing last token that is smaller, such as a counter of Redisson's, is replaced by the time. */
    @ParameterizedTest
    @ValueSource(strings = {"-9223372036854775808", "-1", "0", "7", "1700000000000000"})
    void acquire_lastTokenIsSmaller_drawsTheTime(String last) {
        scripts.redis().set(tokens, last);
        long before = micros();
        assertThat(acquire(OWNER, 3, 1)).isBetween(before, micros());
    }

    /**
     * If the clock has gone back, or the last token is ahead of it, the next token is one more, and exact beyond Lua's
     * integers.
     */
    @ParameterizedTest
    @ValueSource(
            longs = {4_000_000_000_000_000L, 9_007_199_254_740_992L, 9_007_199_254_740_993L, 900_000_000_000_000_000L})
    void acquire_lastTokenIsLarger_drawsOneMore(long last) {
        scripts.redis().set(tokens, String.valueOf(last));
        assertThat(acquire(OWNER, 3, 1)).isEqualTo(last + 1);
        scripts.release(lock, OWNER, 3, 0);
        assertThat(acquire(OTHER, 1, 1)).isEqualTo(last + 2);
    }

    /**
     * A re-entry and a second sending return the hold's own token, even if the last token is another by now, or gone.
     */
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

    /** Adopting an older tenure of the same owner is a new hold, with a new token. */
    @Test
    void acquire_olderTenure_drawsAnother() {
        long token = acquire(OWNER, 3, 1);
        assertThat(acquire(OWNER, 4, 1)).isGreaterThan(token);
    }

    /** A command that is late, finds the lock busy, or finds its hold gone, gets no token and draws none. */
    @Test
    void acquire_notGranted_drawsNothing() {
        assertThat(acquire(OWNER, 3, 2)).isZero();
        long token = acquire(OTHER, 9, 1);
        assertThat(acquire(OWNER, 3, 1)).isZero();
        assertThat(acquire(OWNER, 3, 2)).isZero();
        assertThat(scripts.acquireFenced(lock, OTHER, 8, 1, LEASE)).isEqualTo(9L);
        assertThat(scripts.redis().get(tokens)).isEqualTo(String.valueOf(token));
    }

    /**
     * The next owner has a token of its own; nothing is left of the previous hold. A second sending returns the same
     * token.
     */
    @Test
    void handoff_drawsAnother() {
        long before = acquire(OWNER, 3, 1);
        long token = TokenState.tokenIn(scripts.handoffFenced(lock, NEXT, 4, LEASE, OWNER, 3));
        assertThat(token).isGreaterThan(before);
        assertThat(scripts.hash(lock))
                .isEqualTo(Map.of(NEXT, "1", NEXT + ":tenure", "4", NEXT + ":token", String.valueOf(token)));
        assertThat(TokenState.tokenIn(scripts.handoffFenced(lock, NEXT, 4, LEASE, OWNER, 3)))
                .isEqualTo(token);
        assertThat(scripts.redis().get(tokens)).isEqualTo(String.valueOf(token));
    }

    /** A handoff that does not take effect draws nothing. */
    @Test
    void handoff_notPassed_drawsNothing() {
        assertThat(scripts.handoffFenced(lock, NEXT, 4, LEASE, OWNER, 3)).isEqualTo(0L);
        long token = acquire(OTHER, 9, 1);
        assertThat(TokenState.tokenIn(scripts.handoffFenced(lock, NEXT, 4, LEASE, OWNER, 3)))
                .isZero();
        assertThat(scripts.redis().get(tokens)).isEqualTo(String.valueOf(token));
    }

    /** If the token key is not a number, an acquire creates no hold, and a handoff leaves the holder in place. */
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

    /** A lease that Redis cannot set leaves a free lock free. */
    @Test
    void acquire_leaseRefused_leavesNothing() {
        assertThatThrownBy(() -> scripts.acquireFenced(lock, OWNER, 3, 1, Duration.ofMillis(Long.MAX_VALUE)))
                .isInstanceOf(RedisCommandExecutionException.class);
        assertThat(scripts.redis().exists(lock)).isZero();
    }

    /** A server that is out of memory still executes a handoff. */
    @Test
    void handoff_outOfMemory() {
        long before = acquire(OWNER, 3, 1);
        scripts.redis().configSet("maxmemory", "1");
        try {
            assertThat(TokenState.tokenIn(scripts.handoffFenced(lock, NEXT, 4, LEASE, OWNER, 3)))
                    .isGreaterThan(before);
        } finally {
            scripts.redis().configSet("maxmemory", "0");
        }
    }
}

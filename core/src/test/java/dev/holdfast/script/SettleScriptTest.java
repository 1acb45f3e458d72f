package dev.holdfast.script;

import static dev.holdfast.script.RawScripts.ENDLESS;
import static dev.holdfast.script.RawScripts.LEASE;
import static dev.holdfast.script.RawScripts.OTHER;
import static dev.holdfast.script.RawScripts.OWNER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each reply of {@code settle.lua} and {@code raise-token.lua}, and the state of the keys after it. */
@Tag("script")
final class SettleScriptTest {
    /** The hold that is settled, of the client of {@link RawScripts#OWNER}. */
    private static final String PRESENT = "6f8e:18";

    private static final long TENURE = 4;

    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    private final String lock = scripts.newLock();

    private static Map<String, String> heldBy(String owner, long tenure, int holds) {
        return Map.of(owner, String.valueOf(holds), owner + ":tenure", String.valueOf(tenure));
    }

    private Object settle(Object... released) {
        return settleWith(1, LEASE, released);
    }

    private Object settleWith(int holds, Duration lease, Object... released) {
        return scripts.run("settle.lua", List.of(lock), arguments(holds, lease, "", released));
    }

    private static Object[] arguments(int holds, Duration lease, String token, Object... released) {
        Object[] hold = {PRESENT, TENURE, holds, lease.toMillis(), token};
        return Stream.of(hold, released).flatMap(Stream::of).toArray();
    }

    /** The hold takes the place of the released one, with its own count and lease. */
    @Test
    void settle_ofAReleasedHold() {
        scripts.acquire(lock, OWNER, 3, 1, LEASE);

        assertThat(settleWith(2, LEASE.dividedBy(2), OWNER, 3)).isEqualTo(TENURE);

        assertThat(scripts.hash(lock)).isEqualTo(heldBy(PRESENT, TENURE, 2));
        assertThat(scripts.left(lock)).isPositive().isLessThanOrEqualTo(LEASE.dividedBy(2));
    }

    /** The same owner has acquired the lock again since. */
    @Test
    void settle_ofItsOwnReleasedHold() {
        scripts.acquire(lock, PRESENT, 3, 1, LEASE);
        scripts.acquire(lock, PRESENT, 3, 2, LEASE);

        assertThat(settle(PRESENT, 3)).isEqualTo(TENURE);

        assertThat(scripts.hash(lock)).isEqualTo(heldBy(PRESENT, TENURE, 1));
    }

    /** The token is that of the hold, and none of the released one is left. */
    @Test
    void settle_ofAFencedHold() {
        scripts.acquireFenced(lock, OWNER, 3, 1, LEASE);

        scripts.run("settle.lua", List.of(lock), arguments(1, LEASE, "4711", OWNER, 3));

        assertThat(scripts.hash(lock))
                .isEqualTo(Map.of(PRESENT, "1", PRESENT + ":tenure", "4", PRESENT + ":token", "4711"));
    }

    /** A free lock is not acquired: another owner may have held it since. */
    @Test
    void settle_free() {
        assertThat(settle(OWNER, 3)).isEqualTo(0L);
        assertThat(scripts.redis().exists(lock)).isZero();
    }

    /** A lock without an end is reported as such. */
    @Test
    void settle_endless() {
        scripts.acquire(lock, OTHER, 3, 1, LEASE);
        scripts.redis().persist(lock);
        assertThat(settle(OWNER, 3)).isEqualTo(ENDLESS);
    }

    static Stream<String> holders() {
        return Stream.of(OWNER, PRESENT, OTHER);
    }

    /**
     * Whoever has the lock with whatever tenure: only a hold that was released gives way, by the same command twice and
     * by one that comes late, after the hold was released and another owner has acquired the lock.
     */
    @ParameterizedTest
    @MethodSource("holders")
    void settle_everyState_twiceAndLate(String holder) {
        List<String> wrong = new ArrayList<>();
        for (long held = 1; held <= 6; held++) {
            for (long released = 1; released <= 6; released++) {
                for (String by : List.of(OWNER, PRESENT)) {
                    if (by.equals(PRESENT) && released >= TENURE) {
                        continue;
                    }
                    wrong.addAll(check(holder, held, by, released));
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private List<String> check(String holder, long held, String by, long released) {
        scripts.redis().del(lock);
        scripts.acquire(lock, holder, held, 1, LEASE);
        boolean isIt = holder.equals(PRESENT) && held >= TENURE;
        boolean moves = !isIt && holder.equals(by) && held <= released;
        Map<String, String> meant = moves ? heldBy(PRESENT, TENURE, 1) : heldBy(holder, held, 1);
        List<String> wrong = new ArrayList<>();
        String state = holder + "@" + held + " released " + by + "@" + released;
        for (int times = 1; times <= 2; times++) {
            long reply = (Long) settle(by, released);
            boolean told = moves ? reply == TENURE : isIt ? reply == held : reply < 0;
            if (!told || !scripts.hash(lock).equals(meant)) {
                wrong.add(state + ", sent " + times + " times: " + reply + " " + scripts.hash(lock));
            }
        }
        if (moves) {
            scripts.release(lock, PRESENT, TENURE, 0);
            settle(by, released);
            if (scripts.redis().exists(lock) != 0) {
                wrong.add(state + ", late: " + scripts.hash(lock));
            }
            scripts.acquire(lock, OTHER, 9, 1, LEASE);
            settle(by, released);
            scripts.release(lock, OTHER, 9, 0);
            scripts.acquire(lock, by, 10, 1, LEASE);
            settle(by, released);
            if (!scripts.hash(lock).equals(heldBy(by, 10, 1))) {
                wrong.add(state + ", after the next hold: " + scripts.hash(lock));
            }
        }
        return wrong;
    }

    /** A lease that Redis cannot set is refused, and nothing is changed. */
    @ParameterizedTest
    @ValueSource(strings = {OWNER, PRESENT})
    void settle_leaseRefused(String holder) {
        scripts.acquire(lock, holder, 3, 1, LEASE);
        scripts.acquire(lock, holder, 3, 2, LEASE);
        assertThatThrownBy(() -> settleWith(1, Duration.ofMillis(Long.MAX_VALUE), holder, 3))
                .isInstanceOf(RedisCommandExecutionException.class);
        assertThat(scripts.hash(lock)).isEqualTo(heldBy(holder, 3, 2));
        assertThat(scripts.left(lock)).isBetween(Duration.ofSeconds(1), LEASE);
    }

    /** A user without one of the rights changes nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"-hdel", "-hset", "-pexpire", "-hmget"})
    void settle_withoutTheRight(String missing) {
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        scripts.acquire(lock, OWNER, 3, 2, LEASE);
        try (StatefulRedisConnection<String, String> bound =
                scripts.connectAs("bound", "reset", "on", ">pw", "+@all", "~*", "&*", missing)) {
            assertThatThrownBy(() ->
                            scripts.runOver(bound, "settle.lua", List.of(lock), arguments(1, LEASE, "", OWNER, 3)))
                    .isInstanceOf(RedisCommandExecutionException.class);
        }
        assertThat(scripts.hash(lock)).isEqualTo(heldBy(OWNER, 3, 2));
    }

    /** The last token grows, and never becomes smaller. */
    @Test
    void raiseToken() {
        assertThat(raised("100")).isEqualTo("100");
        assertThat(raised("99")).isEqualTo("100");
        assertThat(raised("100")).isEqualTo("100");
        assertThat(raised("9007199254740992")).isEqualTo("9007199254740992");
    }

    /** The next token that is drawn is larger than the one that is known. */
    @Test
    void raiseToken_thenDraw() {
        long known = 1L << 52;
        raised(String.valueOf(known));
        assertThat(TokenState.tokenIn(scripts.acquireFenced(lock, OWNER, 3, 1, LEASE)))
                .isGreaterThan(known);
    }

    /** What is no number stays as it is: the next draw reports it. */
    @Test
    void raiseToken_ofNoNumber() {
        scripts.redis().set(RawScripts.tokens(lock), "no token");
        assertThat(raised("100")).isEqualTo("no token");
    }

    /** A user without one of the rights is told so, and the token is unchanged. */
    @ParameterizedTest
    @ValueSource(strings = {"-get", "-set"})
    void raiseToken_withoutTheRight(String missing) {
        raised("99");
        try (StatefulRedisConnection<String, String> bound =
                scripts.connectAs("bound", "reset", "on", ">pw", "+@all", "~*", "&*", missing)) {
            assertThatThrownBy(() -> scripts.runOver(bound, "raise-token.lua", List.of(RawScripts.tokens(lock)), "100"))
                    .isInstanceOf(RedisCommandExecutionException.class);
        }
        assertThat(scripts.redis().get(RawScripts.tokens(lock))).isEqualTo("99");
    }

    private @Nullable String raised(String known) {
        assertThat(scripts.run("raise-token.lua", List.of(RawScripts.tokens(lock)), known))
                .isEqualTo(1L);
        return scripts.redis().get(RawScripts.tokens(lock));
    }
}

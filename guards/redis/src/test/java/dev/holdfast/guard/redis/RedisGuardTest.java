package dev.holdfast.guard.redis;

import static dev.holdfast.guard.redis.RedisGuard.Outcome.STALE;
import static dev.holdfast.guard.redis.RedisGuard.Outcome.WRITTEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.testkit.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes of a key: one with a smaller token than that of the last write is refused. */
@TestInstance(Lifecycle.PER_CLASS)
final class RedisGuardTest {
    private static final String KEY = "balance:42";

    private final RedisServer server = RedisServer.start();
    private final RedisClient client = RedisClient.create(server.uri());
    private final StatefulRedisConnection<String, String> connection = client.connect(StringCodec.UTF8);
    private final RedisCommands<String, String> redis = connection.sync();
    private final RedisGuard guard = RedisGuard.on(connection.async());

    @BeforeEach
    void forget() {
        redis.flushall();
    }

    @AfterAll
    void stop() {
        connection.close();
        client.shutdown(Duration.ZERO, Duration.ZERO);
        server.close();
    }

    /** The first write, one of a later holder and further ones of the same holder succeed. */
    @Test
    void set_notOlder_isWritten() {
        assertThat(guard.set(KEY, "one", 7).join()).isEqualTo(WRITTEN);
        assertThat(guard.set(KEY, "two", 7).join()).isEqualTo(WRITTEN);
        assertThat(guard.set(KEY, "three", 9).join()).isEqualTo(WRITTEN);
        assertThat(redis.get(KEY)).isEqualTo("three");
    }

    /** A late write of an earlier holder changes neither the data nor the last token. */
    @Test
    void set_older_isStale() {
        guard.set(KEY, "new", 9).join();

        assertThat(guard.set(KEY, "late", 8).join()).isEqualTo(STALE);

        assertThat(redis.get(KEY)).isEqualTo("new");
        assertThat(redis.get(RedisGuard.tokenKey(KEY))).isEqualTo("9");
        assertThat(guard.set(KEY, "newer", 9).join()).isEqualTo(WRITTEN);
    }

    /** Every command is guarded by the same token of the key. */
    @Test
    void everyCommand_isGuarded() {
        assertThat(guard.hset(KEY, Map.of("amount", "1", "by", "me"), 5).join()).isEqualTo(WRITTEN);
        assertThat(guard.hset(KEY, Map.of("amount", "2"), 4).join()).isEqualTo(STALE);
        assertThat(guard.del(KEY, 4).join()).isEqualTo(STALE);
        assertThat(redis.hgetall(KEY)).isEqualTo(Map.of("amount", "1", "by", "me"));

        assertThat(guard.del(KEY, 6).join()).isEqualTo(WRITTEN);
        assertThat(redis.exists(KEY)).isZero();
        assertThat(guard.set(KEY, "back from the dead", 5).join()).isEqualTo(STALE);
    }

    /** Tokens are compared as integers, however large: neither as text nor as Lua numbers. */
    @ParameterizedTest
    @CsvSource({
        "9, 10",
        "99, 100",
        "1700000000000000, 1700000000000001",
        "9007199254740992, 9007199254740993",
        "9223372036854775806, 9223372036854775807"
    })
    void tokens_areCompared(long smaller, long larger) {
        assertThat(guard.set(KEY, "a", smaller).join()).isEqualTo(WRITTEN);
        assertThat(guard.set(KEY, "b", larger).join()).isEqualTo(WRITTEN);
        assertThat(guard.set(KEY, "c", smaller).join()).isEqualTo(STALE);
    }

    /** A number that cannot be a token is rejected, and nothing is written. */
    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void token_notPositive(long token) {
        assertThatThrownBy(() -> guard.set(KEY, "x", token))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be positive, was " + token);
        assertThat(redis.keys("*")).isEmpty();
    }

    /** A hash is not written without a field. */
    @Test
    void hset_withoutFields() {
        assertThatThrownBy(() -> guard.hset(KEY, Map.of(), 5)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Concurrent writers with many tokens, on several connections: in the end the last holder's write remains. */
    @Test
    void writersAtOnce_theLastHolderWins() {
        int writers = 4;
        List<StatefulRedisConnection<String, String>> connections = new ArrayList<>();
        List<CompletableFuture<?>> writes = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
            connections.add(client.connect(StringCodec.UTF8));
        }
        List<Long> tokens =
                new ArrayList<>(LongStream.rangeClosed(1, 500).boxed().toList());
        Collections.shuffle(tokens, new Random(42));
        for (int i = 0; i < tokens.size(); i++) {
            RedisGuard own = RedisGuard.on(connections.get(i % writers).async());
            writes.add(own.set(KEY, "by " + tokens.get(i), tokens.get(i)));
        }
        writes.forEach(CompletableFuture::join);
        connections.forEach(StatefulRedisConnection::close);

        assertThat(redis.get(KEY)).isEqualTo("by 500");
    }

    /** The data and the token are in one slot of a cluster, whatever braces the key contains. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "orders",
                "{orders}:42",
                "a{b}c",
                "{a}{b}",
                "a{b",
                "{",
                "a{b{c",
                "{{a}}",
                "a}{b}c",
                "{a}b}",
                "a{b}{",
                "a{b}{}",
                "{a",
                "{a}",
                ":{a}",
                "holdfast_token:{a}"
            })
    void tokenKey_sharesTheSlot(String key) {
        assertThat(SlotHash.getSlot(RedisGuard.tokenKey(key))).isEqualTo(SlotHash.getSlot(key));
    }

    /** A key whose slot no token key can share is rejected. */
    @ParameterizedTest
    @ValueSource(strings = {"", "a}b", "}", "{}", "{}x", "{}{x}", "a{}b", "}a{b"})
    void tokenKey_noTagToMake_isRefused(String key) {
        assertThatThrownBy(() -> guard.set(key, "x", 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("was \"" + key + "\"");
        assertThat(redis.keys("*")).isEmpty();
    }

    /** No two keys share a token: a write of one is not refused because of the other. */
    @Test
    void tokenKey_isTheKeysOwn() {
        List<String> keys = List.of("x", "{x}", ":{x}", "::{x}", "{{x}", "{x", "{{x}}", "holdfast_token:{x}", "{x}{x}");
        assertThat(keys.stream().map(RedisGuard::tokenKey)).doesNotHaveDuplicates();

        assertThat(guard.set("x", "new", 9).join()).isEqualTo(WRITTEN);
        assertThat(guard.set("{x}", "old", 8).join()).isEqualTo(WRITTEN);
    }
}

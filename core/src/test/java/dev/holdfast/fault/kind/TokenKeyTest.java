package dev.holdfast.fault.kind;

import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.FaultyRedis;
import dev.holdfast.FencedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.LockException;
import dev.holdfast.testkit.RedisServer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The key of a fenced lock's last token holds a value that no token can follow: the exception names that key. */
@Tag("fault")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; nothing under it fails
final class TokenKeyTest {
    private static final String NAME = "orders:42";
    private static final String TOKENS = "redisson_lock_token:{orders:42}";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Holdfast client = faulty.client();
    private final FencedLock lock = client.getFencedLock(NAME);

    /** A command that spoils the key, and the message it leads to. */
    record Spoilt(String message, List<String> command) {
        static Spoilt by(String message, String... command) {
            return new Spoilt(message, List.of(command));
        }

        void applyTo(RedisServer server) {
            server.command(command.toArray(String[]::new));
        }
    }

    static Stream<Spoilt> spoilt() {
        return Stream.of(
                Spoilt.by("'" + TOKENS + "' is of another type", "RPUSH", TOKENS, "an item"),
                Spoilt.by("'" + TOKENS + "' is of another type", "HSET", TOKENS, "a field", "a value"),
                Spoilt.by("'" + TOKENS + "' holds no number", "SET", TOKENS, "not a token"),
                Spoilt.by("'" + TOKENS + "' holds no number", "SET", TOKENS, "1e300"),
                Spoilt.by("'" + TOKENS + "' holds no number", "SET", TOKENS, String.valueOf(Long.MAX_VALUE)));
    }

    /** Every acquiring call names the key; nothing is left of the attempt. */
    @ParameterizedTest
    @MethodSource("spoilt")
    void acquire_namesTheKey(Spoilt spoilt) {
        spoilt.applyTo(faulty.server());

        for (ThrowingCallable call : new ThrowingCallable[] {
            lock::lock, lock::tryLock, () -> get(lock.lockAsync()), () -> get(lock.acquireAsync()), lock::acquire
        }) {
            assertFails(call, spoilt);
        }
        assertThat(faulty.keys()).isEmpty();

        faulty.server().command("DEL", TOKENS);
        lock.lock();
        lock.unlock();
    }

    /** A handoff fails for the next owner, with the key in the message, and the release succeeds. */
    @ParameterizedTest
    @MethodSource("spoilt")
    void handoff_namesTheKey(Spoilt spoilt) {
        lock.lock();
        CompletableFuture<Long> waiter = elsewhere(lock::lockAndGetToken);
        faulty.awaitWaiting(client, 1);
        faulty.server().command("DEL", TOKENS);
        spoilt.applyTo(faulty.server());

        lock.unlock();

        assertFails(() -> get(waiter), spoilt);
        assertThat(lock.isLocked()).isFalse();
    }

    /** The largest possible token can be drawn. */
    @Test
    void acquire_lastOfAll() {
        faulty.server().command("SET", TOKENS, String.valueOf(Long.MAX_VALUE - 1));

        assertThat(lock.lockAndGetToken()).isEqualTo(Long.MAX_VALUE);
        lock.unlock();
    }

    /** If the lock's own key has the wrong type, the message names that key. */
    @Test
    void acquire_ofAnotherKey() {
        faulty.server().command("RPUSH", NAME, "not a lock");

        assertThatThrownBy(lock::lock)
                .isInstanceOf(LockException.class)
                .hasMessageContaining("'" + NAME + "' is a list")
                .hasMessageNotContaining(TOKENS);

        faulty.server().command("DEL", NAME);
    }

    private static void assertFails(ThrowingCallable call, Spoilt spoilt) {
        assertThatThrownBy(call).isInstanceOf(LockException.class).hasMessageContainingAll(NAME, spoilt.message());
    }
}

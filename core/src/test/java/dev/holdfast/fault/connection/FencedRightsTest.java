package dev.holdfast.fault.connection;

import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.FaultyRedis;
import dev.holdfast.FencedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.LockException;
import io.lettuce.core.RedisURI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rights a fenced lock needs in addition to those of every lock, and that a missing one is named. */
@Tag("fault")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
class FencedRightsTest {
    private static final String NAME = "orders:42";
    private static final String TOKENS = "redisson_lock_token:*";
    private static final List<String> MORE = List.of("~" + TOKENS, "+time", "+get", "+set", "+incr");

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    /**
     * With these rights everything works: acquire, handoff, and continuing from a last token that is ahead of the
     * clock.
     */
    @Test
    void enough_everythingWorks() {
        Holdfast client = faulty.client(builder -> builder.redisUri(user("")));
        FencedLock lock = client.getFencedLock(NAME);
        long ahead = 5_000_000_000_000_000L;
        faulty.server().command("SET", "redisson_lock_token:{orders:42}", String.valueOf(ahead));

        assertThat(lock.lockAndGetToken()).isEqualTo(ahead + 1);
        CompletableFuture<Long> waiter = elsewhere(() -> {
            long token = lock.lockAndGetToken();
            lock.unlock();
            return token;
        });
        faulty.awaitWaiting(client, 1);
        lock.unlock();
        assertThat(get(waiter)).isEqualTo(ahead + 2);
    }

    /**
     * Each missing right is named, the attempt leaves nothing behind, and everything works once the right is granted.
     */
    @ParameterizedTest
    @ValueSource(strings = {"+time", "+get", "+set", "~" + TOKENS})
    void missing_namesIt(String right) {
        FencedLock lock =
                faulty.client(builder -> builder.redisUri(user(right))).getFencedLock(NAME);

        assertThatThrownBy(lock::lock)
                .isInstanceOf(LockException.class)
                .hasMessageContainingAll(NAME, "grant", right.replace("*", "{orders:42}"));
        assertThat(faulty.server().keys()).isEmpty();

        user("");
        assertThat(lock.tryLockAndGetToken()).isPresent();
        lock.unlock();
    }

    /** The address of a user that has all rights but this one. */
    private RedisURI user(String missing) {
        List<String> rights = new ArrayList<>(RightsTest.ENOUGH);
        rights.addAll(MORE);
        rights.remove(missing);
        return faulty.user(rights.toArray(String[]::new));
    }
}

package dev.holdfast.fault.kind;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
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

/** A read-write lock needs the documented rights and no others, and names each that is missing. */
@Tag("fault")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
final class ReadWriteRightsTest {
    private static final String NAME = "orders:42";

    /** Those of the page on configuration that a read-write lock needs. */
    private static final List<String> ENOUGH = List.of(
            "~orders:*",
            "&redisson_rwlock:{orders:*",
            "+eval",
            "+evalsha",
            "+hget",
            "+hmget",
            "+hset",
            "+hdel",
            "+hgetall",
            "+pttl",
            "+pexpire",
            "+del",
            "+time",
            "+publish",
            "+subscribe",
            "+unsubscribe",
            "+ping",
            "+pubsub|numsub",
            "+type");

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private RedisURI user(List<String> rights) {
        return faulty.user(rights.toArray(String[]::new));
    }

    private DistributedReadWriteLock restricted(List<String> rights) {
        return faulty.client(builder -> builder.redisUri(user(rights))).getReadWriteLock(NAME);
    }

    /** Readers and writers wait in line, a writer goes on as a reader, and the lock is inspected and forced open. */
    @Test
    void enough_everythingWorks() {
        Holdfast client = faulty.client(builder -> builder.redisUri(user(ENOUGH)));
        DistributedReadWriteLock lock = client.getReadWriteLock(NAME);
        DistributedReadWriteLock other = faulty.bystander().getReadWriteLock(NAME);
        Lease writing = other.writeLock().acquire();
        CompletableFuture<Lease> reader = lock.readLock().acquireAsync();
        eventually(() -> other.inspect().clientsInLine() == 1);
        CompletableFuture<Lease> writer = lock.writeLock().acquireAsync();
        eventually(() -> other.inspect().clientsInLine() == 2);
        writing.close();
        get(reader).close();
        Lease reading = lock.downgrade(get(writer));
        assertThat(lock.inspect().isLocked()).isTrue();
        assertThat(lock.forceUnlock()).isTrue();
        assertThatThrownBy(reading::close).isInstanceOf(LeaseLostException.class);
    }

    /** Each missing command is named, by the first call that needs it; the lock works once it is granted. */
    @ParameterizedTest
    @ValueSource(strings = {"evalsha", "hmget", "hset", "pttl", "pexpire", "time"})
    void commandMissing_namesIt(String command) {
        List<String> rights = new ArrayList<>(ENOUGH);
        assertThat(rights.remove("+" + command)).isTrue();
        DistributedLock lock = restricted(rights).readLock();
        assertThatThrownBy(lock::lock)
                .isInstanceOf(LockException.class)
                .hasMessageContainingAll(NAME, "grant", "+" + command);
        assertThatThrownBy(() -> assertThat(lock.tryLock()).isFalse())
                .isInstanceOf(LockException.class)
                .hasMessageContaining("+" + command);
        user(ENOUGH);
        lock.lock();
        lock.unlock();
    }
}

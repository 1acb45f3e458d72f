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
import dev.holdfast.Rights;
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
    private static final List<String> ENOUGH =
            Rights.of("~orders:*", "&redisson_rwlock:{orders:*", "+time", "+pubsub|numsub");

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    /** Readers and writers wait in line, a writer goes on as a reader, and the lock is inspected and forced open. */
    @Test
    void enough_everythingWorks() {
        Holdfast client = faulty.restricted(ENOUGH);
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
        DistributedLock lock = faulty.restricted(Rights.without("+" + command, ENOUGH))
                .getReadWriteLock(NAME)
                .readLock();
        assertThatThrownBy(lock::lock)
                .isInstanceOf(LockException.class)
                .hasMessageContainingAll(NAME, "grant", "+" + command);
        assertThatThrownBy(() -> assertThat(lock.tryLock()).isFalse())
                .isInstanceOf(LockException.class)
                .hasMessageContaining("+" + command);
        faulty.user(ENOUGH.toArray(String[]::new));
        lock.lock();
        lock.unlock();
    }
}

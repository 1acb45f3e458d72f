package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.holdfast.DistributedLock;
import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.MultiLock;
import dev.holdfast.Patience;
import dev.holdfast.RealTime;
import dev.holdfast.SharedRedis;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sides of read-write locks are acquired together with other locks. */
@Tag("client")
final class ReadWriteMultiLockTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final DistributedReadWriteLock lock = redis.client().getReadWriteLock(redis.name());
    private final DistributedReadWriteLock rival = redis.rival().getReadWriteLock(redis.name());
    private final DistributedLock plain = redis.client().getLock(redis.name() + ":old");

    /** A call that waits, but not for ever if it is not refused. */
    private static void tries(MultiLock locks) throws InterruptedException {
        assertThat(locks.tryLock(Duration.ofMillis(100))).isFalse();
    }

    /** A plain lock and a write lock are acquired together, which is how a name is moved from the one kind to the other. */
    @Test
    void plainAndWriteLock() {
        DistributedLock old = redis.rival().getLock(redis.name() + ":old");
        MultiLock both = Holdfast.multiLock(plain, lock.writeLock());
        both.runLocked(() -> {
            assertThat(old.isLocked()).isTrue();
            assertThat(rival.readLock().tryLock()).isFalse();
        });
        assertThat(old.isLocked()).isFalse();
        try (Lease reader = rival.readLock().acquire()) {
            assertThat(both.tryLock()).isFalse();
            Patience.await().until(() -> !old.isLocked());
            assertThat(reader.isValid()).isTrue();
        }
    }

    /** A read lock among them is shared, as it is by itself. */
    @Test
    void plainAndReadLock() {
        MultiLock both = Holdfast.multiLock(plain, lock.readLock());
        both.runLocked(() -> {
            rival.readLock().acquire().close();
            assertThat(rival.writeLock().tryLock()).isFalse();
        });
        rival.writeLock().acquire().close();
    }

    /** Both sides of one lock are refused, and so is one of which the thread has the other: it would wait for itself. */
    @RealTime
    void bothSides_areRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Holdfast.multiLock(lock.readLock(), lock.writeLock()))
                .withMessageContaining("twice");
        MultiLock writing = Holdfast.multiLock(plain, lock.writeLock());
        lock.readLock().runLocked(() -> {
            assertThatIllegalStateException().isThrownBy(() -> tries(writing)).withMessageContaining("wait for itself");
            assertThat(plain.isLocked()).isFalse();
        });
        MultiLock reading = Holdfast.multiLock(plain, lock.readLock());
        lock.writeLock().runLocked(() -> assertThatIllegalStateException().isThrownBy(() -> tries(reading)));
        assertThat(plain.isLocked()).isFalse();
    }

    /** Locks of which one is the other side are other locks: a thread that reads does not enter them again to write. */
    @RealTime
    void otherSides_areNoReentry() {
        MultiLock writing = Holdfast.multiLock(plain, lock.writeLock());
        MultiLock reading = Holdfast.multiLock(plain, lock.readLock());
        reading.runLocked(() -> {
            assertThatIllegalStateException().isThrownBy(() -> tries(writing)).withMessageContaining("wait for itself");
            reading.runLocked(() -> assertThat(reading.getHoldCount()).isEqualTo(2));
            assertThat(writing.isHeldByCurrentThread()).isFalse();
        });
        writing.runLocked(() -> assertThatIllegalStateException().isThrownBy(() -> tries(reading)));
        assertThat(plain.isLocked()).isFalse();
    }
}

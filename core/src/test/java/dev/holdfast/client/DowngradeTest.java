package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.OwnedLock;
import dev.holdfast.Patience;
import dev.holdfast.RecordingListener;
import dev.holdfast.SharedRedis;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A write lock becomes a read lock in one step: no writer has it in between, and readers that wait have it at once. */
@Tag("client")
final class DowngradeTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final DistributedReadWriteLock lock = redis.client().getReadWriteLock(redis.name());
    private final DistributedReadWriteLock rival = redis.rival().getReadWriteLock(redis.name());

    private void awaitInLine(int clients) {
        Patience.await().until(() -> lock.inspect().clientsInLine() == clients);
    }

    /** The write lease counts as closed; the read lease excludes the writer that waits, and admits the reader. */
    @Test
    void downgrade_lease() {
        Lease write = lock.writeLock().acquire();
        CompletableFuture<Lease> writer = rival.writeLock().acquireAsync();
        CompletableFuture<Lease> reader = rival.readLock().acquireAsync();
        awaitInLine(2);
        Lease read = lock.downgrade(write);
        assertThat(write.isValid()).isFalse();
        assertThat(read.isValid()).isTrue();
        Patience.get(reader).close();
        assertThat(writer).isNotDone();
        write.close();
        assertThat(lock.readLock().tryLock()).as("a writer waits").isFalse();
        read.close();
        Patience.get(writer).close();
    }

    /** The same without blocking, with the lease that is left of an explicit one. */
    @Test
    void downgradeAsync_explicitLease() {
        Lease write = lock.writeLock().acquire(MINUTE.multipliedBy(2));
        Lease read = Patience.get(lock.downgradeAsync(write));
        assertThat(read.remaining()).isBetween(MINUTE, MINUTE.multipliedBy(2));
        assertThat(rival.readLock().remainingLease())
                .hasValueSatisfying(left -> assertThat(left).isBetween(MINUTE, MINUTE.multipliedBy(2)));
        assertThat(rival.writeLock().tryLock()).isFalse();
        try (Lease other = rival.readLock().acquire()) {
            assertThat(other.isValid()).isTrue();
        }
        read.close();
        rival.writeLock().acquire().close();
    }

    /** The read lease is renewed if the write lease was. */
    @Test
    void downgrade_isRenewed() {
        RecordingListener listener = new RecordingListener();
        Holdfast brisk = redis.client(builder -> SharedRedis.brisk(builder).addListener(listener));
        DistributedReadWriteLock renewed = brisk.getReadWriteLock(redis.name());
        Lease read = renewed.downgrade(renewed.writeLock().acquire());
        Patience.await()
                .until(() ->
                        listener.events().stream().filter("renewed"::equals).count() >= 4);
        assertThat(read.isValid()).isTrue();
        read.close();
    }

    /** A future that its caller has cancelled leaves no read lock behind. */
    @Test
    void downgradeAsync_cancelled() {
        CompletableFuture<Lease> read = lock.downgradeAsync(lock.writeLock().acquire());
        if (!read.cancel(true)) {
            Patience.get(read).close();
        }
        Patience.get(rival.writeLock().acquireAsync()).close();
    }

    /** A lost write lease is not downgraded, and its loss is reported. */
    @Test
    void downgrade_lost() {
        Lease write = lock.writeLock().acquire();
        assertThat(rival.forceUnlock()).isTrue();
        try (Lease other = rival.writeLock().acquire()) {
            assertThatThrownBy(() -> {
                        Lease read = lock.downgrade(write);
                        read.close();
                    })
                    .isInstanceOf(LeaseLostException.class);
            assertThat(other.isValid()).isTrue();
        }
    }

    /** Neither a closed lease nor one that is none of the write lock of this client is downgraded, and it stays what it is. */
    @Test
    void downgrade_otherLease() {
        Lease closed = lock.writeLock().acquire();
        closed.close();
        assertThatThrownBy(() -> Patience.get(lock.downgradeAsync(closed)))
                .isInstanceOf(IllegalMonitorStateException.class);
        Lease write = lock.writeLock().acquire();
        assertThatThrownBy(() -> rival.downgradeAsync(write)).isInstanceOf(IllegalArgumentException.class);
        assertThat(write.isValid()).isTrue();
        Lease read = lock.downgrade(write);
        assertThatThrownBy(() -> lock.downgradeAsync(read)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> read.closeAfter(MINUTE)).isInstanceOf(UnsupportedOperationException.class);
        assertThat(read.isValid()).isTrue();
        read.close();
    }

    /** Owners that act on any thread downgrade by releasing the write lock while they read. */
    @Test
    void downgrade_byOwnerId() {
        long owner = redis.client().newOwnerId();
        OwnedLock writing = lock.writeLock().ownedBy(owner);
        OwnedLock reading = lock.readLock().ownedBy(owner);
        Patience.get(writing.lockAsync());
        Patience.get(reading.lockAsync());
        Patience.get(writing.unlockAsync());
        assertThat(rival.writeLock().tryLock()).isFalse();
        assertThat(rival.readLock().tryLock()).isTrue();
        rival.readLock().unlock();
        Patience.get(reading.unlockAsync());
        rival.writeLock().acquire().close();
    }

    /** What an owner reads under the write lock is lost with that. */
    @Test
    void lost_whileReading() {
        Holdfast brisk = redis.briskClient();
        DistributedReadWriteLock losing = brisk.getReadWriteLock(redis.name());
        long owner = brisk.newOwnerId();
        OwnedLock writing = losing.writeLock().ownedBy(owner);
        OwnedLock reading = losing.readLock().ownedBy(owner);
        Patience.get(writing.lockAsync());
        Patience.get(reading.lockAsync());
        assertThat(rival.forceUnlock()).isTrue();
        Patience.await()
                .until(() -> !losing.readLock().isHeldBy(owner)
                        && !losing.writeLock().isHeldBy(owner));
        assertThatThrownBy(() -> Patience.get(reading.unlockAsync())).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> Patience.get(writing.unlockAsync())).isInstanceOf(LeaseLostException.class);
        rival.writeLock().acquire().close();
    }
}

package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockHolder;
import dev.holdfast.LockInfo;
import dev.holdfast.LockMode;
import dev.holdfast.Patience;
import dev.holdfast.RecordingListener;
import dev.holdfast.SharedRedis;
import dev.holdfast.WrongKindException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What readers and writers of two clients have at the same time, and in which order. */
@Tag("client")
@SuppressWarnings("LockNotBeforeTry") // A hold that outlives its test has a name of its own.
final class ReadWriteLockTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final DistributedReadWriteLock lock = redis.client().getReadWriteLock(redis.name());
    private final DistributedLock read = lock.readLock();
    private final DistributedLock write = lock.writeLock();
    private final DistributedReadWriteLock rival = redis.rival().getReadWriteLock(redis.name());

    private void awaitInLine(int clients) {
        Patience.await().until(() -> lock.inspect().clientsInLine() == clients);
    }

    /** Readers of one client and of two share the lock; a writer has it alone. */
    @Test
    void readers_share() {
        Lease first = read.acquire();
        Lease second = read.acquire();
        Lease third = rival.readLock().acquire();
        assertThat(List.of(first, second, third)).allMatch(Lease::isValid);
        assertThat(write.tryLock()).isFalse();
        assertThat(rival.writeLock().tryLock()).isFalse();
        first.close();
        third.close();
        assertThat(rival.writeLock().tryLock()).isFalse();
        second.close();
        Lease writer = write.acquire();
        assertThat(read.tryLock()).isFalse();
        assertThat(rival.readLock().tryLock()).isFalse();
        assertThat(rival.writeLock().tryLock()).isFalse();
        writer.close();
    }

    /** The readers of a client have one hold in Redis, of its client, which the last of them releases. */
    @Test
    void readers_haveOneHold() {
        List<Lease> readers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            readers.add(read.acquire());
        }
        readers.add(rival.readLock().acquire());
        LockInfo seen = lock.inspect();
        assertThat(seen.holders()).hasSize(2).extracting(LockHolder::mode).containsOnly(LockMode.SHARED);
        assertThat(seen.holders()).extracting(LockHolder::holdCount).containsOnly(1);
        assertThat(redis.client().stats().holds()).isEqualTo(20);
        readers.forEach(Lease::close);
        assertThat(lock.inspect().isLocked()).isFalse();
    }

    /** A reader enters again whatever waits, and has as many levels as it has entered. */
    @Test
    void reader_reenters() {
        read.lock();
        CompletableFuture<Lease> writer = rival.writeLock().acquireAsync();
        awaitInLine(1);
        read.lock();
        assertThat(read.tryLock()).isTrue();
        assertThat(read.getHoldCount()).isEqualTo(3);
        read.unlock();
        read.unlock();
        assertThat(writer).isNotDone();
        assertThat(read.isHeldByCurrentThread()).isTrue();
        read.unlock();
        assertThat(read.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(read::unlock).isInstanceOf(IllegalMonitorStateException.class);
        Patience.get(writer).close();
    }

    /** While a writer waits, readers of every client wait behind it; then all of them have the lock at once. */
    @Test
    void readers_waitBehindAWriter() {
        Lease reader = read.acquire();
        CompletableFuture<Lease> writer = rival.writeLock().acquireAsync();
        awaitInLine(1);
        Patience.await().until(() -> {
            Optional<Lease> joined = read.tryAcquire(Duration.ZERO);
            joined.ifPresent(Lease::close);
            return joined.isEmpty();
        });
        List<CompletableFuture<Lease>> later = List.of(
                read.acquireAsync(), read.acquireAsync(), rival.readLock().acquireAsync());
        awaitInLine(3);
        assertThat(rival.readLock().tryLock()).isFalse();
        reader.close();
        Lease granted = Patience.get(writer);
        assertThat(later).noneMatch(CompletableFuture::isDone);
        granted.close();
        List<Lease> all = later.stream().map(Patience::get).toList();
        assertThat(all).allMatch(Lease::isValid);
        all.forEach(Lease::close);
    }

    /** A writer that gives up lets in the readers that waited behind it. */
    @Test
    void writer_givesUp() {
        Lease reader = read.acquire();
        CompletableFuture<Lease> writer = rival.writeLock().acquireAsync();
        awaitInLine(1);
        CompletableFuture<Lease> behind = rival.readLock().acquireAsync();
        awaitInLine(2);
        assertThat(behind).isNotDone();
        writer.cancel(true);
        Patience.get(behind).close();
        reader.close();
    }

    /** An owner that writes may read as well, and still reads when it has released the write lock. */
    @Test
    void downgrade_byOwner() {
        write.lock();
        read.lock();
        assertThat(write.isHeldByCurrentThread() && read.isHeldByCurrentThread())
                .isTrue();
        assertThat(rival.readLock().tryLock()).isFalse();
        CompletableFuture<Lease> writer = rival.writeLock().acquireAsync();
        CompletableFuture<Lease> reader = rival.readLock().acquireAsync();
        awaitInLine(2);
        write.unlock();
        Patience.get(reader).close();
        assertThat(read.isHeldByCurrentThread()).isTrue();
        assertThat(write.isHeldByCurrentThread()).isFalse();
        assertThat(writer).isNotDone();
        read.unlock();
        Patience.get(writer).close();
    }

    /** An owner that has read while it wrote, and does so no more, releases the lock. */
    @Test
    void writer_hasReadMeanwhile() {
        write.lock();
        read.lock();
        write.lock();
        read.unlock();
        write.unlock();
        assertThat(rival.readLock().tryLock()).isFalse();
        write.unlock();
        rival.writeLock().lock();
        rival.writeLock().unlock();
    }

    /** An owner that reads would wait for itself: that is refused before anything is sent. */
    @Test
    void upgrade_isRefused() {
        read.lock();
        assertThat(write.tryLock()).isFalse();
        assertThatThrownBy(write::lock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("would wait for itself");
        assertThatThrownBy(() -> write.tryLock(Duration.ofSeconds(5))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Patience.get(write.lockAsync())).hasMessageContaining("would wait for itself");
        assertThat(read.isHeldByCurrentThread()).isTrue();
        read.unlock();
        write.lock();
        write.unlock();
    }

    /** A hold that is gone is lost for each of its readers, of which every unlock says so. */
    @Test
    void group_isLost() {
        Holdfast brisk = redis.briskClient();
        DistributedLock reading = brisk.getReadWriteLock(redis.name()).readLock();
        List<Lease> readers = List.of(reading.acquire(), reading.acquire(), reading.acquire());
        assertThat(lock.forceUnlock()).isTrue();
        for (Lease each : readers) {
            Patience.await().until(() -> !each.isValid());
            assertThatThrownBy(each::close).isInstanceOf(LeaseLostException.class);
        }
        try (Lease writer = write.acquire()) {
            assertThat(writer.isValid()).isTrue();
        }
    }

    /** An explicit lease ends by itself, and neither before nor after those that read beside it. */
    @Test
    void lease_endsBesideOthers() {
        Holdfast brisk = redis.briskClient();
        DistributedLock reading = brisk.getReadWriteLock(redis.name()).readLock();
        Lease watched = reading.acquire();
        Lease shorter = reading.acquire(SharedRedis.BRISK);
        Lease longer = reading.acquire(SharedRedis.BRISK.multipliedBy(50));
        Patience.await().until(() -> !shorter.isValid());
        assertThat(watched.isValid() && longer.isValid()).isTrue();
        assertThatThrownBy(shorter::close).isInstanceOf(LeaseLostException.class);
        watched.close();
        assertThat(longer.isValid()).isTrue();
        assertThat(longer.remaining()).isGreaterThan(SharedRedis.BRISK.multipliedBy(10));
        assertThat(write.tryLock()).isFalse();
        longer.close();
        write.lock();
        write.unlock();
    }

    /** A read lease is renewed for as long as it is held. */
    @Test
    void lease_isRenewed() {
        RecordingListener listener = new RecordingListener();
        Holdfast brisk = redis.client(builder -> SharedRedis.brisk(builder).addListener(listener));
        Lease reader = brisk.getReadWriteLock(redis.name()).readLock().acquire();
        Patience.await()
                .until(() ->
                        listener.events().stream().filter("renewed"::equals).count() >= 4);
        assertThat(reader.isValid()).isTrue();
        reader.close();
        listener.awaitLast("released");
        List<String> events = new ArrayList<>(listener.events());
        events.removeAll(List.of("renewed"));
        assertThat(events).containsExactly("acquired", "released");
    }

    /** Each reader is published, and their common hold is not. */
    @Test
    void events_areThoseOfReaders() {
        RecordingListener listener = new RecordingListener();
        Holdfast client = redis.client(builder -> builder.addListener(listener));
        DistributedLock reading = client.getReadWriteLock(redis.name()).readLock();
        Lease first = reading.acquire();
        Lease second = reading.acquire();
        first.close();
        second.close();
        Patience.await().until(() -> listener.events().size() == 4);
        assertThat(listener.events()).containsExactly("acquired", "acquired", "released", "released");
        try (Lease writer = write.acquire()) {
            assertThat(reading.tryLock()).isFalse();
            assertThat(writer.isValid()).isTrue();
        }
        listener.awaitLast("busy");
        assertThat(client.stats().acquired()).isEqualTo(2);
    }

    /** A name that is in use for a plain lock is no read-write lock. */
    @Test
    void name_ofAPlainLock() {
        try (Lease plain = redis.lock().acquire()) {
            assertThatThrownBy(read::tryLock)
                    .isExactlyInstanceOf(WrongKindException.class)
                    .hasMessageContaining("the exclusive lock")
                    .hasMessageContaining("requested as the read lock");
            assertThatThrownBy(write::lock).isExactlyInstanceOf(WrongKindException.class);
            assertThat(plain.isValid()).isTrue();
        }
        try (Lease writer = write.acquire()) {
            assertThatThrownBy(redis.lock()::lock).isExactlyInstanceOf(WrongKindException.class);
            assertThat(writer.isValid()).isTrue();
        }
    }

    /** A writer is granted the lock although readers of another client, which overlap, never leave it free. */
    @Test
    void writer_amongReadersWithoutPause() {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger present = new AtomicInteger();
        List<CompletableFuture<?>> readers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            readers.add(redis.worker().begins(() -> {
                while (!over.get()) {
                    rival.readLock().callLocked(() -> {
                        present.incrementAndGet();
                        Thread.sleep(2); // what a reader does with the lock: without it, readers do not overlap
                        return present.decrementAndGet();
                    });
                }
            }));
        }
        Patience.await().until(() -> present.get() > 4);
        for (int i = 0; i < 5; i++) {
            try (Lease writer = Patience.get(write.acquireAsync())) {
                assertThat(present).hasValue(0);
                assertThat(writer.isValid()).isTrue();
            }
        }
        over.set(true);
        readers.forEach(Patience::get);
    }
}

package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockHolder;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the readers of a client send, and what each side of the lock shows. */
@Tag("client")
final class ReadSideTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final DistributedReadWriteLock lock = redis.client().getReadWriteLock(redis.name());
    private final DistributedReadWriteLock rival = redis.rival().getReadWriteLock(redis.name());

    /** {@return how often this command was called since the last reset} */
    private static long calls(String command) {
        Matcher found = Pattern.compile("cmdstat_" + command + ":calls=(\\d+)")
                .matcher(String.valueOf(redis.server().command("INFO", "commandstats")));
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }

    /** A reader with an explicit lease costs one command to acquire and one to release, as with any other lock. */
    @Test
    void explicitLease_takesOneCommand() {
        lock.readLock().acquire(MINUTE).close();
        redis.server().command("CONFIG", "RESETSTAT");
        lock.readLock().acquire(MINUTE).close();
        assertThat(calls("evalsha")).isEqualTo(2);
    }

    /** An owner that has read under its write lock, and does not any more, releases that by one command. */
    @Test
    @SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
    void writer_thatHasRead_isNotDowngraded() {
        lock.writeLock().lock();
        lock.readLock().lock();
        lock.readLock().unlock();
        assertReleasesWriterByOneCommand();
        long lost = redis.client().stats().lost();
        lock.writeLock().lock();
        lock.readLock().lock(Duration.ofMillis(200));
        Patience.await().until(() -> redis.client().stats().lost() > lost);
        assertReleasesWriterByOneCommand();
        assertThatThrownBy(lock.readLock()::unlock).isInstanceOf(LeaseLostException.class);
    }

    /** What the release sends is counted once the two commands of the inspection after it were answered. */
    private void assertReleasesWriterByOneCommand() {
        redis.server().command("CONFIG", "RESETSTAT");
        lock.writeLock().unlock();
        assertThat(lock.inspect().isLocked()).isFalse();
        assertThat(calls("evalsha")).isEqualTo(3);
    }

    /** The readers of a client that are renewed at the same time are renewed as one. */
    @Test
    void renewal_isOneForAllReaders() {
        Holdfast brisk = redis.briskClient();
        List<Lease> readers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            readers.add(brisk.getReadWriteLock(redis.name()).readLock().acquire());
        }
        redis.server().command("CONFIG", "RESETSTAT");
        Patience.await().until(() -> calls("evalsha") >= 3);
        // Each renewal of a hold reads its fields once.
        assertThat(calls("hmget")).isLessThan(100);
        assertThat(readers).allMatch(Lease::isValid);
        readers.forEach(Lease::close);
    }

    /** A reader that comes when a writer of its own client waits is behind that one, whichever holds the lock. */
    @Test
    void reader_isBehindWriterOfItsClient() {
        for (DistributedReadWriteLock holder : List.of(rival, lock)) {
            Lease reading = holder.readLock().acquire();
            CompletableFuture<Lease> writer = lock.writeLock().acquireAsync();
            Patience.await().until(() -> redis.client().stats().waiters() == 1);
            CompletableFuture<Lease> behind = lock.readLock().acquireAsync();
            assertThat(lock.readLock().tryLock()).isFalse();
            Patience.await().until(() -> lock.inspect().clientsInLine() == 2);
            assertThat(behind).isNotDone();
            reading.close();
            Lease written = Patience.get(writer);
            assertThat(behind).isNotDone();
            written.close();
            Patience.get(behind).close();
        }
    }

    private Holdfast patientClient() {
        return redis.client(
                builder -> builder.watchdogTimeout(MINUTE.multipliedBy(4)).commandTimeout(MINUTE));
    }

    /** Readers that were granted the lock by a release begin on its message: they send nothing for that. */
    @Test
    void readers_beginOnTheMessage() {
        DistributedReadWriteLock waiting = patientClient().getReadWriteLock(redis.name());
        Lease writing = rival.writeLock().acquire();
        List<CompletableFuture<Lease>> readers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            readers.add(waiting.readLock().acquireAsync());
        }
        Patience.await().until(() -> lock.inspect().clientsInLine() == 1);
        redis.server().command("CONFIG", "RESETSTAT");
        writing.close();
        List<Lease> reading = readers.stream().map(Patience::get).toList();
        // The release, and an attempt of the group if its place was not known yet.
        assertThat(calls("evalsha")).isLessThan(10);
        reading.forEach(Lease::close);
    }

    /**
     * The reader does so as soon as the writer has its place, and not only when the writer has had the time for it. The release of
     * another writer grants the lock to the readers in line first.
     */
    @Test
    void reader_isNotifiedOfTheWritersPlace() {
        Holdfast patient = patientClient();
        DistributedReadWriteLock waiting = patient.getReadWriteLock(redis.name());
        Lease holder = rival.writeLock().acquire();
        CompletableFuture<Lease> writer = waiting.writeLock().acquireAsync();
        CompletableFuture<Lease> leaving = waiting.writeLock().acquireAsync();
        Patience.await().until(() -> patient.stats().waiters() == 2);
        CompletableFuture<Lease> reader = waiting.readLock().acquireAsync();
        leaving.cancel(true);
        Patience.await().until(() -> lock.inspect().clientsInLine() == 2);
        holder.close();
        Patience.get(reader).close();
        Patience.get(writer).close();
    }

    /** Each side shows its own holders, and the lock those of both. */
    @Test
    void sides_showTheirHolders() {
        Lease reading = lock.readLock().acquire(MINUTE);
        assertThat(rival.readLock().isLocked()).isTrue();
        assertThat(rival.readLock().remainingLease()).isPresent();
        assertThat(rival.writeLock().isLocked()).isFalse();
        assertThat(rival.writeLock().remainingLease()).isEmpty();
        assertThat(rival.inspect().holders()).hasSize(1);
        reading.close();
        Lease writing = lock.writeLock().acquire(MINUTE);
        assertThat(rival.readLock().isLocked()).isFalse();
        assertThat(rival.writeLock().isLocked()).isTrue();
        assertThat(Patience.get(rival.inspectAsync()).holders()).hasSize(1);
        writing.close();
        assertThat(rival.inspect().isLocked()).isFalse();
    }

    /** A reader whose lease has ended is not shown, although its hold is still there; nor does it extend that of the others. */
    @Test
    void inspect_leavesOutDeadReaders() {
        Lease reading = lock.readLock().acquire(MINUTE);
        redis.server().command("HSET", redis.name(), "gone:1", "1", "gone:1:tenure", "1", "gone:1:until", "1000 dead");
        assertThat(rival.inspect().holders())
                .hasSize(1)
                .extracting(LockHolder::owner)
                .doesNotContain("gone:1");
        redis.server().command("PEXPIRE", redis.name(), "600000");
        assertThat(rival.readLock().remainingLease())
                .hasValueSatisfying(left -> assertThat(left).isLessThanOrEqualTo(MINUTE));
        reading.close();
        redis.server().command("DEL", redis.name());
    }

    /** A thread that reads in a body may do so again, and a reader without a wait finds out at once that a writer is there. */
    @Test
    void runLocked_nests() {
        lock.readLock().runLocked(() -> {
            CompletableFuture<Lease> writer = rival.writeLock().acquireAsync();
            Patience.await().until(() -> lock.inspect().clientsInLine() == 1);
            lock.readLock().runLocked(() -> assertThat(writer).isNotDone());
            writer.cancel(true);
        });
        Optional<Lease> writing = Patience.get(rival.writeLock().tryAcquireAsync(MINUTE));
        assertThat(writing).isPresent();
        assertThat(Patience.get(lock.readLock().tryAcquireAsync(Duration.ZERO))).isEmpty();
        writing.orElseThrow().close();
    }
}

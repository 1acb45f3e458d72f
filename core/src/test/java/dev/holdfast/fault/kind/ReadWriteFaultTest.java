package dev.holdfast.fault.kind;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.DistributedLock;
import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.OwnedLock;
import dev.holdfast.testkit.Direction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What delayed and lost replies mean for the readers of a client. */
@Tag("fault")
@Tag("slow")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
final class ReadWriteFaultTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    /** A reader without a wait is not refused by the reply to an attempt that was executed before its call. */
    @Test
    void reader_isNotRefusedByAnEarlierAttempt() {
        DistributedLock read = faulty.patientClient().getReadWriteLock(NAME).readLock();
        Lease writing = faulty.bystander().getReadWriteLock(NAME).writeLock().acquire();
        assertThat(get(read.tryAcquireAsync(Duration.ZERO))).isEmpty();
        long before = faulty.proxy().commands("EVALSHA");
        faulty.proxy().delay(Direction.REPLIES, Duration.ofSeconds(1));
        CompletableFuture<Optional<Lease>> earlier = read.tryAcquireAsync(Duration.ZERO);
        eventually(() -> faulty.proxy().commands("EVALSHA") == before + 1);
        writing.close();

        Optional<Lease> granted = get(read.tryAcquireAsync(Duration.ZERO));

        assertThat(granted).isPresent();
        granted.orElseThrow().close();
        get(earlier).ifPresent(Lease::close);
    }

    /** Readers that want a longer lease than Redis has confirmed, at the same time, do not each extend it: one of them does for all. */
    @Test
    void extension_servesAllThatWait() {
        DistributedLock read = faulty.patientClient().getReadWriteLock(NAME).readLock();
        Lease first = read.acquire(FaultyRedis.LONG);
        long before = faulty.proxy().commands("EVALSHA");
        faulty.proxy().blackHole(Direction.REPLIES);
        List<CompletableFuture<Lease>> readers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            readers.add(read.acquireAsync(FaultyRedis.LONG));
        }
        CompletableFuture<Lease> longer = read.acquireAsync(FaultyRedis.LONG.multipliedBy(2));
        faulty.proxy().heal(Direction.REPLIES);
        List<Lease> reading = readers.stream().map(FaultyRedis::get).toList();

        assertThat(get(longer).remaining()).isGreaterThan(FaultyRedis.LONG);
        // That of the first one, that of the second, which is sent after all have begun, and the longer one.
        assertThat(faulty.proxy().commands("EVALSHA") - before).isBetween(3L, 9L);
        reading.forEach(Lease::close);
        get(longer).close();
        first.close();
    }

    /**
     * A reader is renewed as a part of the write hold, which is downgraded at that time: the reply says that Redis has that no more,
     * and this is no loss of the reader.
     */
    @Test
    void renewal_answeredAfterTheDowngrade_keepsTheReader() {
        Holdfast client = faulty.client(
                builder -> builder.watchdogTimeout(Duration.ofSeconds(6)).commandTimeout(Duration.ofSeconds(3)));
        DistributedReadWriteLock lock = client.getReadWriteLock(NAME);
        long owner = client.newOwnerId();
        OwnedLock writing = lock.writeLock().ownedBy(owner);
        OwnedLock reading = lock.readLock().ownedBy(owner);
        get(writing.lockAsync());
        get(reading.lockAsync());
        long before = faulty.proxy().commands("EVALSHA");
        faulty.proxy().blackHole(Direction.REPLIES);
        CompletableFuture<?> downgraded = writing.unlockAsync();
        eventually(() -> faulty.proxy().commands("EVALSHA") >= before + 2);
        long renewals = client.stats().renewals();
        faulty.proxy().heal(Direction.REPLIES);

        get(downgraded);

        eventually(() -> client.stats().renewals() > renewals);
        assertThat(lock.readLock().isHeldBy(owner)).isTrue();
        get(reading.unlockAsync());
    }

    /** The write lease is over when the reply arrives: a read lease that is acquired later is not what was downgraded. */
    @Test
    void downgrade_whoseReplyIsTooLate_isNoLaterLease() {
        DistributedReadWriteLock lock = faulty.patientClient().getReadWriteLock(NAME);
        Lease writing = lock.writeLock().acquire(Duration.ofSeconds(1));
        faulty.proxy().blackHole(Direction.REPLIES);

        CompletableFuture<Lease> reading = lock.downgradeAsync(writing);
        eventually(() -> !faulty.keys().contains(NAME));
        faulty.proxy().heal(Direction.REPLIES);

        assertThat(catchThrowable(() -> get(reading))).isInstanceOfAny(LockException.class, LeaseLostException.class);
    }

    /** The command that is sent again does not extend the lease: the reader counts it from the first one. */
    @Test
    void downgrade_whoseReplyIsLost_countsTheLeaseFromTheFirst() {
        Holdfast client = faulty.client(builder -> builder.commandTimeout(Duration.ofSeconds(3)));
        DistributedReadWriteLock lock = client.getReadWriteLock(NAME);
        Lease writing = lock.writeLock().acquire(FaultyRedis.LONG);
        faulty.proxy().swallowReplyTo("redisson_rwlock:");

        Lease reading = get(lock.downgradeAsync(writing));

        long leftMillis = Long.parseLong(String.valueOf(faulty.server().command("PTTL", NAME)));
        assertThat(reading.remaining()).isLessThanOrEqualTo(Duration.ofMillis(leftMillis));
        reading.close();
    }

    /** A reader that has died beside a live one costs a writer its own lease, and not that of the other one, which is not cut. */
    @Test
    void reader_isGone_endsWithItsOwnLease() {
        Lease live = faulty.bystander().getReadWriteLock(NAME).readLock().acquire(FaultyRedis.LONG);
        Holdfast mortal = faulty.client(FaultyRedis.SHORT);
        Lease dead = mortal.getReadWriteLock(NAME).readLock().acquire();
        faulty.proxy().blackHole(Direction.REQUESTS);
        DistributedLock write = faulty.bystander().getReadWriteLock(NAME).writeLock();
        CompletableFuture<Lease> writing = write.acquireAsync();
        eventually(() -> !dead.isValid());
        assertThat(live.isValid()).isTrue();
        assertThat(writing).isNotDone();

        live.close();

        get(writing, FaultyRedis.SOON).close();
        faulty.proxy().heal(Direction.REQUESTS);
    }

    /** A reader that has died after the live one has left ends with its own lease, not with that of the key. */
    @Test
    void reader_outlivesTheLiveOne_endsWithItsOwnLease() {
        Lease live = faulty.bystander().getReadWriteLock(NAME).readLock().acquire(FaultyRedis.LONG);
        Lease dead = faulty.client(FaultyRedis.SHORT)
                .getReadWriteLock(NAME)
                .readLock()
                .acquire();
        faulty.proxy().blackHole(Direction.REQUESTS);
        live.close();

        Lease writing =
                get(faulty.bystander().getReadWriteLock(NAME).writeLock().acquireAsync(), FaultyRedis.SOON);

        assertThat(dead.isValid()).isFalse();
        writing.close();
        faulty.proxy().heal(Direction.REQUESTS);
    }

    /** A reader that was stopped for longer than its lease releases it when a writer has the lock: that changes nothing. */
    @Test
    void release_afterTheLease_leavesTheWriter() {
        DistributedLock read = faulty.client(builder -> builder.awaitReleases(false))
                .getReadWriteLock(NAME)
                .readLock();
        Lease reading = read.acquire(FaultyRedis.SHORT);
        long before = faulty.proxy().commands("EVALSHA");
        faulty.proxy().delay(Direction.REQUESTS, FaultyRedis.SHORT.multipliedBy(2));
        reading.close();

        Lease writing =
                get(faulty.bystander().getReadWriteLock(NAME).writeLock().acquireAsync());

        eventually(() -> faulty.proxy().commands("EVALSHA") > before);
        faulty.proxy().heal(Direction.REQUESTS);
        get(read.tryAcquireAsync(Duration.ZERO)).ifPresent(Lease::close);
        writing.extend(FaultyRedis.LONG);
        writing.close();
    }
}

package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.Lease;
import dev.holdfast.LockHolder;
import dev.holdfast.LockInfo;
import dev.holdfast.LockMode;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import dev.holdfast.WrongKindException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a read-write lock shows of its owners, and which names are of one. */
@Tag("client")
final class ReadWriteInspectTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final DistributedReadWriteLock lock = redis.client().getReadWriteLock(redis.name());

    private DistributedReadWriteLock labelled(String label) {
        return redis.client(builder -> builder.label(label)).getReadWriteLock(redis.name());
    }

    /** Each client that reads is one holder, with its label, its start and its own lease; those in line are counted. */
    @Test
    void readers_areHolders() {
        Instant before = Instant.now().minusSeconds(1);
        Lease first = labelled("web-1").readLock().acquire(LONG);
        Lease second = labelled("web-2").readLock().acquire(LONG.multipliedBy(2));
        CompletableFuture<Lease> writer = lock.writeLock().acquireAsync();
        Patience.await().until(() -> lock.inspect().clientsInLine() == 1);

        LockInfo seen = lock.inspect();
        Map<Optional<String>, LockHolder> holders =
                seen.holders().stream().collect(Collectors.toMap(LockHolder::label, Function.identity()));
        assertThat(holders).containsOnlyKeys(Optional.of("web-1"), Optional.of("web-2"));
        assertThat(seen.holders()).allSatisfy(holder -> {
            assertThat(holder.mode()).isEqualTo(LockMode.SHARED);
            assertThat(holder.since().orElseThrow())
                    .isBetween(before, Instant.now().plusSeconds(1));
        });
        assertThat(leaseOf(holders, "web-1").orElseThrow()).isBetween(LONG.dividedBy(2), LONG);
        assertThat(leaseOf(holders, "web-2").orElseThrow()).isBetween(LONG, LONG.multipliedBy(2));
        first.close();
        second.close();
        Patience.get(writer).close();
    }

    private static Optional<Duration> leaseOf(Map<Optional<String>, LockHolder> holders, String label) {
        return Optional.ofNullable(holders.get(Optional.of(label))).flatMap(LockHolder::remainingLease);
    }

    /** A reader that has died is no holder when its own lease has ended, though another one still reads. */
    @Test
    void deadReader_isNoHolder() {
        Lease alive = labelled("alive").readLock().acquire(LONG);
        Lease dead = labelled("dead").readLock().acquire(SharedRedis.BRISK);
        Patience.await().until(() -> !dead.isValid());
        Patience.await().untilAsserted(() -> assertThat(lock.inspect().holders())
                .extracting(holder -> holder.label().orElseThrow())
                .containsExactly("alive"));
        alive.close();
        lock.writeLock().acquire().close(); // removes the dead one, too
    }

    /** The writer is the one holder, and its lease is that of the lock. */
    @Test
    void writer_isHolder() {
        try (Lease writer = labelled("web-1").writeLock().acquire(LONG)) {
            LockHolder holder = lock.inspect().holder().orElseThrow();
            assertThat(holder.mode()).isEqualTo(LockMode.EXCLUSIVE);
            assertThat(holder.label()).hasValue("web-1");
            assertThat(holder.remainingLease()).isEmpty();
            assertThat(lock.inspect().remainingLease().orElseThrow()).isBetween(Duration.ZERO, LONG);
            assertThat(writer.isValid()).isTrue();
        }
    }

    /** A lock is inspected as what it is: as another kind, that is an exception which names both. */
    @Test
    void name_ofAnotherKind() {
        DistributedLock plain = redis.client().getLock(redis.name());
        try (Lease reader = lock.readLock().acquire()) {
            assertOfAnotherKind(plain, "the read-write lock", "as the plain lock");
            assertThat(reader.isValid()).isTrue();
        }
        try (Lease writer = lock.writeLock().acquire()) {
            assertOfAnotherKind(plain, "the read-write lock", "as the plain lock");
            assertThat(writer.isValid()).isTrue();
        }
        try (Lease exclusive = plain.acquire()) {
            assertOfAnotherKind(lock.readLock(), "the exclusive lock", "as the read lock");
            assertOfAnotherKind(lock.writeLock(), "the exclusive lock", "as the write lock");
            assertThat(exclusive.isValid()).isTrue();
        }
        assertThat(lock.inspect().isLocked()).isFalse();
        assertThat(plain.inspect().isLocked()).isFalse();
    }

    private static void assertOfAnotherKind(DistributedLock lock, String found, String requested) {
        assertThatThrownBy(lock::inspect)
                .isExactlyInstanceOf(WrongKindException.class)
                .hasMessageContainingAll(lock.name(), found, requested);
        assertThatThrownBy(lock::isLocked).isExactlyInstanceOf(WrongKindException.class);
    }
}

package dev.holdfast.client;

import static dev.holdfast.TurnedClock.RENEWAL;
import static dev.holdfast.TurnedClock.WATCHDOG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LossReason;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import dev.holdfast.TurnedClock;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The readers of a client have one hold in Redis, and each its own lease. */
@Tag("client")
@Tag("slow")
final class ReadLeaseTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private static final Duration SHORT = Duration.ofSeconds(8);

    private final TurnedClock clock = new TurnedClock();

    private DistributedLock read(Holdfast client) {
        return client.getReadWriteLock(redis.name()).readLock();
    }

    /** No reader is renewed beyond {@code maxHold}: that ends its own lease, and not that of one which began later. */
    @Test
    void maxHold_isThatOfEachReader() {
        Duration longest = WATCHDOG.multipliedBy(2);
        Holdfast limited = redis.client(builder -> clock.turns(builder).maxHold(longest));
        Lease first = read(limited).acquire();
        clock.renew(limited, 4);
        Lease second = read(limited).acquire();
        clock.renew(limited, 5);

        assertThat(Patience.get(first.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.EXPIRED);
        assertThat(second.isValid()).isTrue();
        second.close();
        assertThat(redis.keys()).isEmpty();
    }

    /** A watched reader beside an explicit lease is renewed, and that lease ends by itself. */
    @Test
    void explicitLease_endsBesideAWatchedOne() {
        Holdfast client = redis.client(clock::turns);
        Lease explicit = read(client).acquire(WATCHDOG);
        Lease watched = read(client).acquire();
        clock.renew(client, 2);
        clock.advance(RENEWAL);

        assertThat(Patience.get(explicit.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.EXPIRED);
        assertThat(watched.isValid()).isTrue();
        watched.close();
        assertThat(redis.keys()).isEmpty();
    }

    /**
     * The message that grants a group the lock is read late: too little is left of a short explicit lease, which is requested anew
     * then. The other reader begins on the message.
     */
    @Test
    void explicitLease_grantedByALateMessage_isRequestedAnew() {
        Holdfast client = redis.client(builder ->
                clock.turns(builder).watchdogTimeout(Duration.ofMinutes(4)).commandTimeout(Duration.ofMinutes(1)));
        Lease writing = redis.rival().getReadWriteLock(redis.name()).writeLock().acquire();
        CompletableFuture<Lease> watched = read(client).acquireAsync();
        CompletableFuture<Lease> explicit = read(client).acquireAsync(SHORT);
        Patience.await()
                .until(() ->
                        redis.rival().getReadWriteLock(redis.name()).inspect().clientsInLine() == 1);
        clock.advance(SHORT.plusSeconds(1));
        writing.close();

        assertThat(Patience.get(explicit).remaining()).isGreaterThan(SHORT.dividedBy(2));
        Patience.get(explicit).close();
        Patience.get(watched).close();
        assertThat(redis.keys()).isEmpty();
    }

    /** A lease that is dropped is collected although the thread that has acquired it, and has ended, refers to it. */
    @Test
    void dropped_itsThreadRefersToIt() throws InterruptedException {
        WeakReference<Lease> lease = ofThread(read(redis.client(clock::turns)));
        Patience.await().until(() -> {
            System.gc();
            return lease.get() == null;
        });
        redis.deleteKeys();
    }

    private static WeakReference<Lease> ofThread(DistributedLock lock) throws InterruptedException {
        Acquiring thread = new Acquiring(lock);
        thread.start();
        thread.join();
        return new WeakReference<>(Objects.requireNonNull(thread.lease));
    }

    private static final class Acquiring extends Thread {
        private final DistributedLock lock;
        private @Nullable Lease lease;

        Acquiring(DistributedLock lock) {
            this.lock = lock;
        }

        @Override
        public void run() {
            lease = lock.acquire();
        }
    }
}

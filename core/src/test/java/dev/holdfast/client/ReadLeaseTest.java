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
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The readers of a client have one hold in Redis, and each its own lease. */
@Tag("client")
final class ReadLeaseTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

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
}

package dev.holdfast.fault.renewal;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static dev.holdfast.TurnedClock.WATCHDOG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockKinds;
import dev.holdfast.TurnedClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Redis's clock is set back. An expiry is a point of that clock, so each key has by so much more left to live: which is all
 * that the commands of a plain lock see of it, and what the tests do to the key.
 */
@Tag("fault")
@ParameterizedClass
@EnumSource(LockKinds.class)
class RedisClockTest {
    private static final String NAME = "orders:42";

    @Parameter
    LockKinds kind = LockKinds.PLAIN;

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    /** A live holder blocks nobody for longer: renewals do not shorten the lease, but its release frees the lock at once. */
    @Test
    void setBack_liveHolderReleases() {
        TurnedClock clock = new TurnedClock();
        Holdfast client = faulty.client(builder -> clock.turns(builder).watchdogTimeout(WATCHDOG));
        Lease lease = kind.lock(client, NAME).acquire();
        CompletableFuture<Lease> waiting = kind.lock(faulty.bystander(), NAME).acquireAsync();

        setBack(LONG);
        clock.renew(client, 3);
        assertThat(leftMillis()).as("what is left in Redis").isGreaterThan(LONG.toMillis());
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.remaining()).isLessThanOrEqualTo(WATCHDOG);
        lease.close();

        get(waiting).close();
        eventually(() -> faulty.keys().isEmpty());
    }

    /** The same for the next owner in the same client, and for one that tries only once. */
    @Test
    void setBack_nextOwnerTriesOnce() {
        DistributedLock lock = kind.lock(faulty.client(), NAME);
        assertThat(lock.tryLock()).isTrue();
        setBack(LONG);
        lock.unlock();

        DistributedLock next = kind.lock(faulty.bystander(), NAME);
        assertThat(next.tryLock()).isTrue();
        assertThat(leftMillis()).isLessThanOrEqualTo(LONG.toMillis());
        next.unlock();
    }

    /** The lock of a dead holder stays busy for as long as the clock was set back, unless it is forced open. */
    @Test
    void setBack_deadHolder_isForcedOpen() {
        faulty.server().command("HSET", NAME, "somebody:1", "1");
        if (kind == LockKinds.WRITE) {
            faulty.server().command("HSET", NAME, "mode", "write");
        }
        faulty.server().command("PEXPIRE", NAME, Long.toString(WATCHDOG.toMillis()));
        setBack(LONG);
        DistributedLock lock = kind.lock(faulty.client(), NAME);

        assertThat(lock.tryLock()).isFalse();
        assertThat(lock.remainingLease().orElse(Duration.ZERO)).isGreaterThan(WATCHDOG);

        assertThat(lock.forceUnlock()).isTrue();
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    private void setBack(Duration time) {
        faulty.server().command("PEXPIRE", NAME, Long.toString(leftMillis() + time.toMillis()));
    }

    private long leftMillis() {
        return faulty.server().command("PTTL", NAME) instanceof Long left ? left : 0;
    }
}

package dev.holdfast.fault.giveup;

import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockKinds;
import dev.holdfast.OwnedLock;
import dev.holdfast.RealTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A hold that follows an acquire its owner gave up has the lease it requested, not the lease it found in Redis. */
@Tag("fault")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
@ParameterizedClass
@EnumSource(LockKinds.class)
class AdoptedLeaseTest {
    private static final String NAME = "orders:42";
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final LockKinds kind;

    AdoptedLeaseTest(LockKinds kind) {
        this.kind = kind;
    }

    /**
     * A cancelled acquire leaves a lease of ten minutes if its reply is late; the next hold still ends with its own
     * lease.
     */
    @RealTime
    void cancelled_thenShorter() {
        Holdfast client = faulty.client();
        OwnedLock lock = kind.lock(client, NAME).ownedBy(client.newOwnerId());
        Duration lease = Duration.ofMillis(800);

        CompletableFuture<?> held = afterOneGivenUp(lock, TEN_MINUTES, lease);
        get(held);

        assertThat(kind.lock(client, NAME).inspect().remainingLease().orElse(Duration.ZERO))
                .isLessThanOrEqualTo(lease);
        kind.lock(faulty.bystander(), NAME).acquire().close();
        assertThatThrownBy(() -> get(lock.unlockAsync())).isInstanceOf(LeaseLostException.class);
    }

    /** Conversely, the next hold's longer lease is set at once, without waiting for a renewal. */
    @Test
    void cancelled_thenLonger() {
        Holdfast client = faulty.client();
        OwnedLock lock = kind.lock(client, NAME).ownedBy(client.newOwnerId());

        get(afterOneGivenUp(lock, Duration.ofSeconds(5), TEN_MINUTES));

        assertThat(kind.lock(client, NAME).inspect().remainingLease().orElseThrow())
                .isGreaterThan(TEN_MINUTES.minusMinutes(1));
        get(lock.unlockAsync());
    }

    /** {@return the outcome of the second of two acquires in flight at once; the caller of the first gives up} */
    private CompletableFuture<?> afterOneGivenUp(OwnedLock lock, Duration first, Duration second) {
        faulty.proxy().delay(Duration.ofMillis(50));
        CompletableFuture<?> givenUp = lock.lockAsync(first);
        givenUp.cancel(true);
        CompletableFuture<?> held = lock.lockAsync(second);
        faulty.proxy().delay(Duration.ZERO);
        return held;
    }
}

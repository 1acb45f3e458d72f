package dev.holdfast.fault.giveup;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.testkit.Direction;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A reader that gives up before it has joined others leaves nothing behind. */
@Tag("fault")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
final class AbandonedReadTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final DistributedReadWriteLock lock = faulty.client().getReadWriteLock(NAME);
    private final DistributedLock read = lock.readLock();

    /** It needs a longer lease than the others have, and is cancelled while that is requested for all of them. */
    @Test
    void cancelled_whileTheLeaseIsExtended_doesNotKeepTheLock() {
        Lease other = read.acquire();
        faulty.proxy().holdRequests();
        CompletableFuture<Lease> longer = read.acquireAsync(Duration.ofHours(1));
        assertThat(longer.cancel(true)).isTrue();
        faulty.proxy().releaseRequests();

        other.close();

        eventually(() -> !faulty.keys().contains(NAME));
    }

    /** The same, and what was to be extended is gone. */
    @Test
    void cancelled_whileTheLeaseIsExtended_whichIsLost_leavesNothing() {
        Lease other = read.acquire();
        faulty.proxy().holdRequests();
        CompletableFuture<Lease> longer = read.acquireAsync(Duration.ofHours(1));
        assertThat(longer.cancel(true)).isTrue();
        faulty.server().command("DEL", NAME);
        faulty.proxy().releaseRequests();

        eventually(() -> !other.isValid());
        assertThatThrownBy(other::close).isInstanceOf(LeaseLostException.class);
    }

    /** A long extension is confirmed when its lease has run out: nobody has the lock, and it is not kept for all that time. */
    @Test
    void extended_tooLate_doesNotKeepTheLock() {
        Lease lease = faulty.patientClient().getReadWriteLock(NAME).readLock().acquire(Duration.ofMillis(500));
        faulty.proxy().delay(Direction.REPLIES, Duration.ofSeconds(1));

        assertThatThrownBy(() -> lease.extend(Duration.ofHours(1))).isInstanceOf(LeaseLostException.class);

        eventually(() -> !faulty.keys().contains(NAME));
    }

    /** A lease that is over is not extended: what others have with it is not requested for longer, either. */
    @Test
    void extended_afterItsEnd_doesNotExtendTheOthers() {
        Lease other = read.acquire();
        Lease lease = read.acquire(Duration.ofMillis(300));
        get(lease.lost().toCompletableFuture());

        assertThatThrownBy(() -> lease.extend(Duration.ofHours(1))).isInstanceOf(LeaseLostException.class);

        assertThat(lock.inspect().remainingLease())
                .hasValueSatisfying(left -> assertThat(left).isLessThan(Duration.ofMinutes(30)));
        other.close();
    }

    /** It has waited for a writer, and is cancelled while it is granted the lock, but for too short a time; or just after that. */
    @Test
    void cancelled_afterItHasWaited_doesNotKeepTheLock() {
        Lease writing = lock.writeLock().acquire();
        CompletableFuture<Lease> first = read.acquireAsync();
        eventually(() -> lock.inspect().clientsInLine() == 1);
        CompletableFuture<Lease> longer = read.acquireAsync(Duration.ofHours(1));
        writing.close();
        Lease other = get(first);
        if (!longer.cancel(true)) {
            get(longer).close();
        }

        other.close();

        eventually(() -> !faulty.keys().contains(NAME));
    }
}

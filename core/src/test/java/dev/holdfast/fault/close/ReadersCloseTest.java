package dev.holdfast.fault.close;

import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Inside;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the close of a client means for its readers. */
@Tag("fault")
final class ReadersCloseTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    /** The close of a client ends the leases of all its readers, which may still be at work: a writer waits for their end. */
    @Test
    void close_losesEachReader() {
        Holdfast client = faulty.client(FaultyRedis.SHORT);
        DistributedLock read = client.getReadWriteLock(NAME).readLock();
        Lease one = read.acquire();
        Lease other = read.acquire(FaultyRedis.LONG);
        DistributedLock write = faulty.bystander().getReadWriteLock(NAME).writeLock();

        faulty.close(client);

        assertThat(Inside.residue(client)).doesNotContain("read sides");
        assertThat(get(one.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.CLOSED);
        assertThat(get(other.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.CLOSED);
        assertThat(get(write.tryAcquireAsync(Duration.ZERO))).isEmpty();
        faulty.server().command("DEL", NAME);
    }

    /** The client begins to close while readers wait for a writer: each call fails. */
    @Test
    void close_failsThoseThatWait() {
        Holdfast client = faulty.client();
        Lease writing = faulty.bystander().getReadWriteLock(NAME).writeLock().acquire();
        DistributedLock read = client.getReadWriteLock(NAME).readLock();
        CompletableFuture<Lease> one = read.acquireAsync();
        CompletableFuture<Lease> other = read.acquireAsync();
        faulty.awaitWaiting(client, 2);

        faulty.close(client);

        assertThatThrownBy(() -> get(one)).isInstanceOf(LockException.class).hasMessageContaining("closed");
        assertThatThrownBy(() -> get(other)).isInstanceOf(LockException.class).hasMessageContaining("closed");
        writing.close();
    }
}

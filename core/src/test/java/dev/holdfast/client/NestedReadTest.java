package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CapturedWarnings;
import dev.holdfast.DistributedLock;
import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.Lease;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A thread that waits for a reader, while it has another one as another owner, is warned of. */
@Tag("client")
final class NestedReadTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final String WARNING = "may wait for itself";

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final DistributedLock lock = redis.client(builder -> builder.commandTimeout(TIMEOUT))
            .getReadWriteLock(redis.name())
            .readLock();
    private final DistributedReadWriteLock rival = redis.rival().getReadWriteLock(redis.name());

    private CompletableFuture<Void> writerInLine() {
        CompletableFuture<Lease> writer = rival.writeLock().acquireAsync();
        Patience.await().until(this::isReaderRefused);
        return writer.thenAccept(Lease::close);
    }

    /** {@return whether the client knows of the writer} */
    private boolean isReaderRefused() {
        boolean isRead = lock.tryLock();
        if (isRead) {
            lock.unlock();
        }
        return !isRead;
    }

    /**
     * A thread with a lease waits for another one, behind a writer that waits for the first: that is logged once, with the place
     * where it waits. A thread that has none waits as well, and is not logged.
     */
    @Test
    void lease_withinALease() throws InterruptedException {
        try (CapturedWarnings warnings = new CapturedWarnings()) {
            Lease first = lock.acquire();
            CompletableFuture<Void> writer = writerInLine();
            CompletableFuture<Void> stranger =
                    CompletableFuture.runAsync(() -> lock.acquire().close());
            Patience.await().until(() -> rival.inspect().clientsInLine() == 2);
            CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> {
                Patience.await().until(() -> warnings.text().contains(WARNING));
                first.close();
            });
            Lease second = lock.acquire();
            Patience.get(closed);
            Patience.get(writer);
            Patience.get(stranger);
            assertThat(warnings.text())
                    .containsOnlyOnce(WARNING)
                    .containsPattern("thread '" + Thread.currentThread().getName() + "' has waited \\d+ ms to read")
                    .contains(redis.name())
                    .containsPattern(
                            "waited for by thread .*\\R\\s+at dev.holdfast.client.NestedReadTest.lease_withinALease");
            CompletableFuture<Void> nextWriter = writerInLine();
            assertThat(lock.tryAcquire(TIMEOUT.multipliedBy(3).dividedBy(2))).isEmpty();
            assertThat(warnings.text()).containsOnlyOnce(WARNING);
            second.close();
            Patience.get(nextWriter);
        }
    }
}

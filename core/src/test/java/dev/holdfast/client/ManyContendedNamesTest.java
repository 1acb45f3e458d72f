package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.OwnedLock;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One client waits for more locks at once than a subscription pool would have room for. */
@Tag("client")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
final class ManyContendedNamesTest {
    private static final int LOCKS = 300;

    /** That of its releases, that of the grants to the waiting client, and that of the line of clients. */
    private static final int CHANNELS_OF_A_LOCK = 3;

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final Holdfast client = redis.client();

    @AutoClose("shutdownNow")
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private List<DistributedLock> locks(Holdfast of) {
        return IntStream.range(0, LOCKS)
                .mapToObj(i -> of.getLock(redis.name() + " " + i))
                .toList();
    }

    /** With several futures for each lock, each gets its lock. */
    @Test
    void lockAsync_aThousand_allServed() {
        List<DistributedLock> locks = locks(client);
        List<CompletableFuture<?>> waiters = new ArrayList<>();
        List<Lease> taken = takeAll();
        for (int i = 0; i < 1_000; i++) {
            OwnedLock own = locks.get(i % LOCKS).ownedBy(client.newOwnerId());
            waiters.add(own.lockAsync().thenCompose(locked -> own.unlockAsync()));
        }

        assertServed(waiters, taken);
    }

    /** With one blocked thread for each lock, each gets its lock. */
    @Test
    void lock_moreThreadsThanAPoolHasRoom_allServed() {
        List<CompletableFuture<?>> waiters = new ArrayList<>();
        List<Lease> taken = takeAll();
        for (DistributedLock lock : locks(client)) {
            waiters.add(CompletableFuture.runAsync(
                    () -> {
                        lock.lock();
                        lock.unlock();
                    },
                    threads));
        }

        assertServed(waiters, taken);
    }

    private List<Lease> takeAll() {
        List<CompletableFuture<Lease>> taken =
                locks(redis.rival()).stream().map(DistributedLock::acquireAsync).toList();
        return taken.stream().map(Patience::get).toList();
    }

    private void assertServed(List<CompletableFuture<?>> waiters, List<Lease> taken) {
        Patience.await().until(() -> client.stats().waiters() == waiters.size());
        assertThat(waiters).noneMatch(CompletableFuture::isDone);
        Patience.await().until(() -> channels() == CHANNELS_OF_A_LOCK * LOCKS);

        taken.forEach(Lease::close);

        waiters.forEach(Patience::get);
        assertThat(client.stats().waiters()).isZero();
    }

    /** {@return how many channels of this test have a subscriber} Those of the test before may linger. */
    private static long channels() {
        return redis.server().channels().stream()
                .filter(channel -> channel.contains(redis.name()))
                .count();
    }
}

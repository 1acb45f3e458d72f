package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.OwnedLock;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** All threads of the callback executor block on locks, or on futures of the client. */
@Tag("client")
final class BlockedPoolTest {
    private static final int THREADS = 2;

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final ForkJoinPool pool = new ForkJoinPool(THREADS);
    private final ExecutorService cached = Executors.newCachedThreadPool();

    @AfterEach
    void endThreads() {
        pool.shutdownNow();
        cached.shutdownNow();
    }

    private CompletableFuture<Void> onThePool(ThrowingCallable critical) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        critical.call();
                    } catch (Throwable e) {
                        throw new CompletionException(e);
                    }
                },
                pool);
    }

    private interface Enter {
        void enter(DistributedLock lock) throws InterruptedException;
    }

    private void allThreadsBlock(Enter enter) {
        Holdfast client = redis.client(builder -> builder.callbackExecutor(pool));
        DistributedLock lock = client.getLock(redis.name());
        Lease holder = redis.rival().getLock(redis.name()).acquire();
        OwnedLock async = lock.ownedBy(client.newOwnerId());
        CompletableFuture<?> ahead = async.lockAsync().thenCompose(done -> async.unlockAsync());
        Patience.await().until(() -> client.stats().waiters() == 1);
        List<CompletableFuture<Void>> behind = Stream.generate(() -> onThePool(() -> {
                    enter.enter(lock);
                    lock.unlock();
                }))
                .limit(THREADS)
                .toList();
        Patience.await().until(() -> client.stats().waiters() == 1 + THREADS);
        holder.close();
        Patience.get(ahead);
        behind.forEach(Patience::get);
    }

    /** A future that is ahead of them in the queue completes although all threads of its executor wait for the lock. */
    @Test
    void lock_onAllThreads() {
        allThreadsBlock(DistributedLock::lock);
    }

    /** The same with {@code lockInterruptibly()}. */
    @Test
    void lockInterruptibly_onAllThreads() {
        allThreadsBlock(DistributedLock::lockInterruptibly);
    }

    /** Every future of a client is completed after its close, including one that a callback of the client blocks on. */
    @Test
    void close_callbackBlocksOnAWaiter() {
        Lease holder = redis.lock().acquire();
        Holdfast closing = Holdfast.builder()
                .redisUri(redis.server().uri())
                .callbackExecutor(cached)
                .build();
        CompletableFuture<?> inner =
                closing.getLock(redis.name()).ownedBy(closing.newOwnerId()).lockAsync();
        Patience.await().until(() -> closing.stats().waiters() == 1);
        Lease other = redis.rival().getLock(redis.name() + "-free").acquire();
        CompletableFuture<Thread> blocking = new CompletableFuture<>();
        CompletableFuture<Void> outer = closing.getLock(redis.name() + "-free")
                .ownedBy(closing.newOwnerId())
                .lockAsync(Duration.ofSeconds(2))
                .thenRun(() -> {
                    blocking.complete(Thread.currentThread());
                    inner.join();
                });
        other.close(); // Not earlier: a dependent action of a completed future runs on the thread that attaches it.
        Patience.get(blocking);
        closing.close();
        Patience.await().until(inner::isDone);
        Patience.await().until(outer::isDone);
        assertThat(inner).isCompletedExceptionally();
        holder.close();
    }
}

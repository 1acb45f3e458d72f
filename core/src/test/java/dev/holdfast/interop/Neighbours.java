package dev.holdfast.interop;

import static org.awaitility.Awaitility.await;

import dev.holdfast.DistributedCountDownLatch;
import dev.holdfast.DistributedLock;
import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.FencedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.redisson.Redisson;
import org.redisson.api.RCountDownLatch;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** One client of each library on one Redis. */
final class Neighbours implements AutoCloseable {
    /** The limit for something that needs a message; less than any lease whose expiry could replace it. */
    static final Duration PROMPTLY = Duration.ofSeconds(20);

    /** The lease of a holder whose expiry no waiter should have to wait for. */
    static final Duration LONG = Duration.ofSeconds(30);

    private static final AtomicInteger COUNTER = new AtomicInteger();

    private final RedisServer server = RedisServer.start();
    private final Holdfast holdfast = Holdfast.connect(server.uri());
    private final RedissonClient redisson = redisson(server.uri());

    /** {@return a Redisson client with its default settings, except for a small pool} */
    static RedissonClient redisson(String uri) {
        Config config = new Config();
        config.useSingleServer().setAddress(uri).setConnectionMinimumIdleSize(1).setConnectionPoolSize(8);
        return Redisson.create(config);
    }

    /** {@return a new name} */
    static String newName() {
        return "interop:" + ProcessHandle.current().pid() + ":" + COUNTER.incrementAndGet();
    }

    RedisServer server() {
        return server;
    }

    DistributedLock ours(String name) {
        return holdfast.getLock(name);
    }

    DistributedLock oursFair(String name) {
        return holdfast.getFairLock(name);
    }

    RLock theirsFair(String name) {
        return redisson.getFairLock(name);
    }

    FencedLock oursFenced(String name) {
        return holdfast.getFencedLock(name);
    }

    RFencedLock theirsFenced(String name) {
        return redisson.getFencedLock(name);
    }

    DistributedCountDownLatch ourLatch(String name) {
        return holdfast.getCountDownLatch(name);
    }

    RCountDownLatch theirLatch(String name) {
        return redisson.getCountDownLatch(name);
    }

    DistributedReadWriteLock oursReadWrite(String name) {
        return holdfast.getReadWriteLock(name);
    }

    RReadWriteLock theirsReadWrite(String name) {
        return redisson.getReadWriteLock(name);
    }

    RLock theirs(String name) {
        return redisson.getLock(name);
    }

    /** {@return the field of the current thread in Redisson's client} */
    String theirField() {
        return redisson.getId() + ":" + Thread.currentThread().getId();
    }

    /** {@return the field of the current thread in Holdfast's client} */
    String ourField() {
        return holdfast.clientId() + ":" + Thread.currentThread().getId();
    }

    /** {@return the hash of the lock, empty if it is free} */
    Map<String, String> hash(String name) {
        Map<String, String> hash = new LinkedHashMap<>();
        if (server.command("HGETALL", name) instanceof List<?> entries) {
            for (int i = 0; i < entries.size(); i += 2) {
                hash.put(String.valueOf(entries.get(i)), String.valueOf(entries.get(i + 1)));
            }
        }
        return hash;
    }

    /** Returns once this many clients are subscribed to the lock's release. */
    void awaitWaiters(String name, long clients) {
        awaitWaitersOn("redisson_lock__channel", name, clients);
    }

    /** The same of a read-write lock. */
    void awaitReadWriteWaiters(String name, long clients) {
        awaitWaitersOn("redisson_rwlock", name, clients);
    }

    private void awaitWaitersOn(String prefix, String name, long clients) {
        String channel = prefix + ":" + (name.contains("{") ? name : "{" + name + "}");
        await().atMost(PROMPTLY)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> server.command("PUBSUB", "NUMSUB", channel) instanceof List<?> reply
                        && reply.get(1).equals(clients));
    }

    /** Runs it in a new thread. */
    static CompletableFuture<Void> inNewThread(Runnable body) {
        return CompletableFuture.runAsync(body, task -> new Thread(task, "interop").start());
    }

    /** Makes a new thread acquire and release the lock, as soon as it can. */
    static CompletableFuture<Void> passesThrough(Lock lock) {
        return inNewThread(() -> under(lock, () -> {}));
    }

    /** Runs it while holding the lock. */
    static void under(Lock lock, Runnable body) {
        lock.lock();
        try {
            body.run();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        holdfast.close();
        redisson.shutdown();
        server.close();
    }
}

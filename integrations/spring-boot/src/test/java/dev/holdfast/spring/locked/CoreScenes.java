package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.DistributedSemaphore;
import dev.holdfast.FencedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.MultiLock;
import dev.holdfast.SegmentedLock;
import dev.holdfast.spring.faults.Doors.Scene;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;

/** The calls of a client that return a lock to a careful caller, which releases what it has received. */
final class CoreScenes {
    private static final Duration WAIT = Duration.ofSeconds(10);

    private static final int SEGMENTS = 2;

    private CoreScenes() {}

    static Map<String, Scene> of(Holdfast client, String name) {
        Map<String, Scene> scenes = new LinkedHashMap<>();
        addPlain(scenes, client.getLock(name));
        addFenced(scenes, client.getFencedLock(name));
        addSegmented(scenes, client.getSegmentedLock(name, SEGMENTS));
        addMulti(scenes, Holdfast.multiLock(client.getLock(name + ":a"), client.getLock(name + ":b")));
        addPermits(scenes, semaphore(client, name));
        return scenes;
    }

    /** {@return the names of the locks that the segments are} */
    static Stream<String> segments(Holdfast client, String name) {
        SegmentedLock lock = client.getSegmentedLock(name, SEGMENTS);
        return lock.segments().stream().map(segment -> lock.segment(segment).name());
    }

    /** {@return the semaphore whose permits the scenes acquire} */
    static DistributedSemaphore semaphore(Holdfast client, String name) {
        return client.getSemaphore(name, 2);
    }

    private static void addPlain(Map<String, Scene> scenes, DistributedLock lock) {
        scenes.put("a body that runs locked", () -> lock.runLocked(() -> {}));
        scenes.put("a body that is called locked", () -> lock.callLocked(() -> "x"));
        scenes.put("a lock", () -> unlocked(lock, lock::lock));
        scenes.put("a lock, interruptibly", () -> unlocked(lock, lock::lockInterruptibly));
        scenes.put(
                "a lock, tried",
                () -> unlocked(lock, () -> assertThat(lock.tryLock()).isTrue()));
        scenes.put("a lease", () -> lock.acquire().close());
        scenes.put("a lease, tried", () -> lock.tryAcquire(WAIT).orElseThrow().close());
        scenes.put("a lease, by a future", () -> get(lock.acquireAsync()).close());
        scenes.put("a lease, tried by a future", () -> closed(lock.tryAcquireAsync(WAIT)));
    }

    private static void addFenced(Map<String, Scene> scenes, FencedLock lock) {
        scenes.put(
                "a token",
                () -> unlocked(lock, () -> assertThat(lock.lockAndGetToken()).isPositive()));
        scenes.put(
                "a token, tried",
                () -> unlocked(lock, () -> assertThat(lock.tryLockAndGetToken()).isPresent()));
        scenes.put(
                "a token, awaited",
                () -> unlocked(
                        lock, () -> assertThat(lock.tryLockAndGetToken(WAIT)).isPresent()));
    }

    private static void addSegmented(Map<String, Scene> scenes, SegmentedLock lock) {
        scenes.put("a segment", () -> lock.acquire().close());
        scenes.put("a segment, interruptibly", () -> lock.acquireInterruptibly().close());
        scenes.put("a segment, tried", () -> lock.tryAcquire().orElseThrow().close());
        scenes.put("a segment, by a future", () -> get(lock.acquireAsync()).close());
        scenes.put("a segment, tried by a future", () -> closed(lock.tryAcquireAsync(WAIT)));
    }

    private static void addMulti(Map<String, Scene> scenes, MultiLock lock) {
        scenes.put("several locks", () -> unlocked(lock, lock::lock));
        scenes.put("several locks, interruptibly", () -> unlocked(lock, lock::lockInterruptibly));
        scenes.put("a lease of several locks", () -> lock.acquire().close());
        scenes.put(
                "a lease of several locks, tried",
                () -> lock.tryAcquire(WAIT).orElseThrow().close());
        scenes.put("a lease of several locks, by a future", () -> get(lock.acquireAsync())
                .close());
        scenes.put("a lease of several locks, tried by a future", () -> closed(lock.tryAcquireAsync(WAIT)));
    }

    private static void addPermits(Map<String, Scene> scenes, DistributedSemaphore semaphore) {
        scenes.put("a body that runs with a permit", () -> semaphore.runPermitted(() -> {}));
        scenes.put("a body that is called with a permit", () -> semaphore.callPermitted(() -> "x"));
        scenes.put("permits", () -> semaphore.acquire(2).close());
        scenes.put(
                "permits, interruptibly",
                () -> semaphore.acquireInterruptibly(2).close());
        scenes.put("permits, tried", () -> semaphore.tryAcquire(2).orElseThrow().close());
        scenes.put(
                "permits, awaited",
                () -> semaphore.tryAcquire(2, WAIT).orElseThrow().close());
        scenes.put("permits, by a future", () -> get(semaphore.acquireAsync(2)).close());
        scenes.put("permits, tried by a future", () -> closed(semaphore.tryAcquireAsync(2, WAIT)));
    }

    private static void unlocked(Lock lock, Scene acquire) throws Throwable {
        acquire.play();
        lock.unlock();
    }

    private static void closed(CompletableFuture<? extends Optional<? extends Lease>> acquired) throws Exception {
        get(acquired).orElseThrow().close();
    }

    private static <T> T get(CompletableFuture<T> acquired) throws Exception {
        return acquired.get(20, TimeUnit.SECONDS);
    }
}

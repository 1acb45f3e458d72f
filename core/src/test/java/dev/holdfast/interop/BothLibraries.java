package dev.holdfast.interop;

import static dev.holdfast.FaultyRedis.TIMEOUT;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.interop.Neighbours.LONG;
import static dev.holdfast.interop.Neighbours.inNewThread;
import static dev.holdfast.interop.Neighbours.passesThrough;
import static dev.holdfast.interop.Neighbours.under;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.DistributedLock;
import dev.holdfast.Guarded;
import dev.holdfast.Holdfast;
import dev.holdfast.testkit.topology.DataNode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;
import org.redisson.config.Config;

/** One client of each library, and a lock that both use, whose master changes. */
@SuppressWarnings("LockNotBeforeTry") // A hold that outlives its test has servers of its own.
final class BothLibraries implements AutoCloseable {
    /** Redisson looks for changes of the servers at this interval. */
    static final int SCANNED_MILLIS = 500;

    /** The limit for what begins when a client has found the new master; less than a lease. */
    static final Duration NOTICED = Duration.ofSeconds(20);

    /** If Redisson's client has ended a release with an exception, its hold lasts for as long as its lease. */
    static final Duration EXPIRED = LONG.plus(NOTICED);

    static final String NAME = "shared by both";

    private static final int PASSES = 100;

    private static final int ATTEMPTS = 5;

    private final AtomicInteger probes = new AtomicInteger();
    private final Holdfast holdfast;
    private final RedissonClient redisson;
    private final DistributedLock ours;
    private final RLock theirs;

    /** The servers of the lock. */
    interface Servers {
        DataNode master();

        /** {@return whether a client listens for the release of the lock} */
        boolean areListenedTo();

        /** All that was written so far is at the replicas. */
        void awaitInSync();
    }

    BothLibraries(String uri, Config config) {
        holdfast = Holdfast.connect(uri);
        redisson = Redisson.create(config);
        ours = holdfast.getLock(NAME);
        theirs = redisson.getLock(NAME);
    }

    DistributedLock ours() {
        return ours;
    }

    RLock theirs() {
        return theirs;
    }

    /** Redisson's client keeps its lock while it gets another master, and wakes our waiter there. */
    void theyHoldThrough(Servers servers, Runnable change) {
        theirs.lock(LONG.toSeconds(), TimeUnit.SECONDS);
        CompletableFuture<Void> waiter = passesThrough(ours);
        happens(servers, change);

        assertThat(theirs.isHeldByCurrentThread()).isTrue();
        assertThat(ours.tryLock()).isFalse();
        assertThat(waiter).isNotDone();
        theirs.unlock();
        assertThat(waiter).succeedsWithin(NOTICED);
        excludeEachOther();
    }

    /** Our client keeps its lock while it gets another master, and wakes Redisson's waiter there. */
    void weHoldThrough(Servers servers, Runnable change) {
        ours.lock(LONG);
        CompletableFuture<Void> waiter = inNewThread(() -> passThroughTheirs(() -> {}));
        happens(servers, change);

        assertThat(ours.isHeldByCurrentThread()).isTrue();
        assertThat(theirs.tryLock()).isFalse();
        assertThat(waiter).isNotDone();
        ours.unlock();
        assertThat(waiter).succeedsWithin(NOTICED);
        excludeEachOther();
    }

    private void happens(Servers servers, Runnable change) {
        eventually(servers::areListenedTo);
        servers.awaitInSync();

        change.run();

        DataNode master = servers.master();
        await().atMost(TIMEOUT).ignoreExceptions().until(() -> theyWriteTo(master));
        eventually(servers::areListenedTo);
    }

    /** {@return whether Redisson's client has this master} A former one may still accept writes. */
    private boolean theyWriteTo(DataNode master) {
        String key = "{" + NAME + "}:" + probes.incrementAndGet();
        redisson.getBucket(key).set(key);
        return master.server().keys().contains(key);
    }

    /**
     * Passes through Redisson's lock. While the servers change, its client fails calls: on a connection that it has just
     * closed, when a master becomes a replica during its WAIT, or if it cannot subscribe in time. The caller has to call
     * again, and to unlock first what the failed call has acquired all the same.
     */
    private void passThroughTheirs(Runnable work) {
        for (int i = 1; ; i++) {
            try {
                while (theirs.isHeldByCurrentThread()) {
                    theirs.unlock();
                }
                under(theirs, work);
                return;
            } catch (RedisException e) {
                if (i == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** A thread of each library acquires the lock again and again: one at a time. */
    private void excludeEachOther() {
        Guarded guarded = new Guarded();
        Traffic traffic = new Traffic(guarded);
        await().atMost(EXPIRED).until(() -> guarded.entered() > PASSES);
        traffic.stop(EXPIRED);
    }

    /** A thread of each library that acquires the lock again and again. */
    final class Traffic {
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final Guarded guarded;
        private final CompletableFuture<Void> ends;

        /** @param guarded what both enter while they hold the lock */
        Traffic(Guarded guarded) {
            this.guarded = guarded;
            this.ends = CompletableFuture.allOf(
                    repeatedly(() -> under(ours, guarded::enter)), repeatedly(() -> passThroughTheirs(guarded::enter)));
        }

        private CompletableFuture<Void> repeatedly(Runnable pass) {
            return inNewThread(() -> {
                while (!stopped.get()) {
                    pass.run();
                }
            });
        }

        /** Both come to their end within this time, and were never at work at the same time. */
        void stop(Duration atMost) {
            stopped.set(true);
            assertThat(ends).succeedsWithin(atMost);
            guarded.assertEntered(guarded.entered());
        }
    }

    @Override
    public void close() {
        holdfast.close();
        redisson.shutdown();
    }
}

package dev.holdfast.benchmarks.system;

import dev.holdfast.Holdfast;
import dev.holdfast.OwnedLock;
import dev.holdfast.Timeouts;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Holdfast with its defaults, but for what is compared. */
final class HoldfastClient implements LockClient {
    private final Holdfast holdfast;

    HoldfastClient(String uri, Duration watchdogTimeout, boolean awaitReleases) {
        holdfast = Holdfast.builder()
                .redisUri(uri)
                .watchdogTimeout(watchdogTimeout)
                .awaitReleases(awaitReleases)
                .build();
    }

    @Override
    public BlockingLock lock(String name) {
        return BlockingLock.of(holdfast.getLock(name));
    }

    @Override
    public AsyncLock asyncLock(String name, long owner) {
        OwnedLock lock = holdfast.getLock(name).ownedBy(-owner);
        return new AsyncLock() {
            @Override
            public CompletionStage<?> lock() {
                return lock.lockAsync();
            }

            @Override
            public CompletionStage<?> unlock() {
                return lock.unlockAsync();
            }
        };
    }

    @Override
    public long deadlines() {
        return Timeouts.scheduled(holdfast);
    }

    @Override
    public void close() {
        holdfast.close();
    }
}

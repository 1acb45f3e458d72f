package dev.holdfast.fault.handoff;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Guarded;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockKinds;
import dev.holdfast.OwnedLock;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many owners of one client compete for one lock, by every kind of call, with handoffs: one at a time holds it, and
 * none is left waiting.
 */
@Tag("fault")
@Tag("slow")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; nothing under it fails
@ParameterizedClass
@EnumSource(LockKinds.class)
final class HandoffContentionTest {
    private static final int EACH = 8;
    private static final int ROUNDS = 120;

    @Parameter
    LockKinds kind = LockKinds.PLAIN;

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final Guarded guarded = new Guarded();
    private final List<CompletableFuture<?>> runs = new ArrayList<>();

    /** Threads, futures, handles and owner ids count together and lose no count. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneClient_countsExactly(boolean awaitReleases) {
        Holdfast client = redis.client(builder -> builder.awaitReleases(awaitReleases));
        everyKind(kind.lock(client, redis.name()), client);

        runs.forEach(HandoffContentionTest::ends);

        guarded.assertEntered(4 * EACH * ROUNDS);
    }

    /** So do the owners of two clients. */
    @Test
    void twoClients_countExactly() {
        everyKind(kind.lock(redis.client(), redis.name()), redis.client());
        threads(kind.lock(redis.rival(), redis.name()));

        runs.forEach(HandoffContentionTest::ends);

        guarded.assertEntered(5 * EACH * ROUNDS);
    }

    /** An owner that enters twice has the lock until its second release, whoever waits. */
    @Test
    void reentrantOwners_countExactly() {
        DistributedLock lock = kind.lock(redis.client(), redis.name());
        for (int i = 0; i < EACH; i++) {
            runs.add(redis.worker().begins(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    lock.lock();
                    guarded.enter();
                    lock.lock();
                    guarded.enter();
                    lock.unlock();
                    guarded.enter();
                    lock.unlock();
                }
            }));
        }

        runs.forEach(HandoffContentionTest::ends);

        guarded.assertEntered(3 * EACH * ROUNDS);
    }

    private void everyKind(DistributedLock lock, Holdfast client) {
        threads(lock);
        for (int i = 0; i < EACH; i++) {
            runs.add(rounds(ROUNDS, () -> lock.acquireAsync().thenCompose(lease -> {
                guarded.enter();
                return lease.releaseAsync();
            })));
            OwnedLock owned = lock.ownedBy(client.newOwnerId());
            runs.add(rounds(ROUNDS, () -> owned.lockAsync().thenCompose(locked -> {
                guarded.enter();
                return owned.unlockAsync();
            })));
            runs.add(redis.worker().begins(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    // Leases of all lengths, none of which expires.
                    Duration length =
                            Duration.ofSeconds(20 + ThreadLocalRandom.current().nextInt(20));
                    Lease lease = lock.acquire(length);
                    guarded.enter();
                    lease.close();
                }
            }));
        }
    }

    private void threads(DistributedLock lock) {
        for (int i = 0; i < EACH; i++) {
            runs.add(redis.worker().begins(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    lock.lock();
                    try {
                        guarded.enter();
                    } finally {
                        lock.unlock();
                    }
                }
            }));
        }
    }

    private static CompletableFuture<@Nullable Void> rounds(int more, Supplier<? extends CompletionStage<?>> round) {
        if (more == 0) {
            return CompletableFuture.completedFuture(null);
        }
        return round.get().toCompletableFuture().thenComposeAsync(done -> rounds(more - 1, round));
    }

    private static void ends(CompletableFuture<?> run) {
        FaultyRedis.get(run, Patience.LIMIT.multipliedBy(3));
    }
}

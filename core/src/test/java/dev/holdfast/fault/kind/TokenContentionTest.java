package dev.holdfast.fault.kind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.FaultyRedis;
import dev.holdfast.FencedLock;
import dev.holdfast.FencedOwnedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many owners in two clients compete for one fenced lock, by every kind of call: a later holder has a larger token. */
@Tag("fault")
@Tag("slow")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; nothing under it fails
final class TokenContentionTest {
    private static final int EACH = 6;
    private static final int ROUNDS = 60;

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    /** In the order of their holders. Written under the lock. */
    private final List<Long> tokens = new ArrayList<>();

    private final AtomicInteger inside = new AtomicInteger();
    private final List<CompletableFuture<?>> runs = new ArrayList<>();

    /**
     * Tokens grow from holder to holder, across handoffs within a client and releases between clients; a re-entry draws
     * none.
     */
    @Test
    void holders_inOrderOfTheirTokens() {
        for (Holdfast client : List.of(redis.client(), redis.rival())) {
            FencedLock lock = client.getFencedLock(redis.name());
            for (int i = 0; i < EACH; i++) {
                runs.add(redis.worker().begins(() -> blocking(lock)));
                FencedOwnedLock owned = lock.ownedBy(client.newOwnerId());
                runs.add(rounds(ROUNDS, () -> owned.lockAndGetTokenAsync().thenCompose(token -> {
                    enter(token);
                    return owned.unlockAsync();
                })));
                runs.add(rounds(ROUNDS, () -> lock.acquireAsync().thenCompose(lease -> {
                    enter(lease.token());
                    return lease.releaseAsync();
                })));
            }
        }

        runs.forEach(run -> FaultyRedis.get(run, Patience.LIMIT.multipliedBy(3)));

        assertThat(tokens).hasSize(2 * 3 * EACH * ROUNDS).isSorted().doesNotHaveDuplicates();
        assertThat(inside).hasValue(0);
    }

    private void blocking(FencedLock lock) {
        for (int round = 0; round < ROUNDS; round++) {
            long token = lock.lockAndGetToken();
            enter(token);
            assertThat(lock.lockAndGetToken()).isEqualTo(token);
            assertThat(lock.getToken()).isEqualTo(token);
            lock.unlock();
            lock.unlock();
        }
    }

    private void enter(long token) {
        assertThat(inside.incrementAndGet()).as("holders").isEqualTo(1);
        tokens.add(token);
        inside.decrementAndGet();
    }

    private static CompletableFuture<@Nullable Void> rounds(int more, Supplier<? extends CompletionStage<?>> round) {
        if (more == 0) {
            return CompletableFuture.completedFuture(null);
        }
        return round.get().toCompletableFuture().thenComposeAsync(done -> rounds(more - 1, round));
    }
}

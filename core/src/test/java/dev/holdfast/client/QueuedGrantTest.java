package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.OwnedLock;
import dev.holdfast.Patience;
import dev.holdfast.RealTime;
import dev.holdfast.SharedRedis;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A grant is queued at the callback executor: its caller gets the state of the hold at the time it is delivered. */
@Tag("client")
final class QueuedGrantTest {
    private static final Duration SHORT = Duration.ofMillis(500);

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final Queue<Runnable> handOvers = new ConcurrentLinkedQueue<>();
    private final Holdfast client = redis.client(builder -> builder.callbackExecutor(handOvers::add));
    private final OwnedLock owned = client.getLock(redis.name()).ownedBy(client.newOwnerId());

    /** A hold that has expired by then is not delivered: the future fails as lost, and there is nothing to release. */
    @RealTime
    void ranOut_isLost() {
        CompletableFuture<?> locking = owned.lockAsync(SHORT);
        awaitGrant();
        Patience.await().until(() -> !owned.isHeld());

        assertThatThrownBy(() -> handedOver(locking))
                .isInstanceOfSatisfying(LeaseLostException.class, lost -> assertThat(lost.reason())
                        .isEqualTo(LossReason.EXPIRED));

        assertThatThrownBy(() -> handedOver(owned.unlockAsync()))
                .isExactlyInstanceOf(IllegalMonitorStateException.class);
    }

    /** A hold that its owner has released meanwhile was granted, and is not lost. */
    @Test
    void released_isGranted() {
        CompletableFuture<?> locking = owned.lockAsync();
        awaitGrant();
        CompletableFuture<?> unlocking = owned.unlockAsync();
        Patience.await().until(() -> !redis.lock().isLocked());

        handedOver(locking);
        handedOver(unlocking);
    }

    private void awaitGrant() {
        Patience.await().until(() -> client.stats().acquired() == 1);
    }

    /** Runs the executor's tasks until the future is done, and throws what the future failed with. */
    private void handedOver(CompletableFuture<?> future) {
        Patience.await().until(() -> {
            for (Runnable next = handOvers.poll(); next != null; next = handOvers.poll()) {
                next.run();
            }
            return future.isDone();
        });
        Patience.get(future);
    }
}

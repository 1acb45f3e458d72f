package dev.holdfast.fault;

import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.FaultyRedis;
import dev.holdfast.FencedOwnedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.OwnedLock;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Owners of one client that want the plain and the fenced lock of one name wait in one queue. */
@Tag("fault")
class MixedKindsTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    final FaultyRedis day = new FaultyRedis();

    private final Holdfast client = day.client();

    private OwnedLock plain() {
        return client.getLock(NAME).ownedBy(client.newOwnerId());
    }

    private FencedOwnedLock fenced() {
        return client.getFencedLock(NAME).ownedBy(client.newOwnerId());
    }

    /** They are served in their order, by handoffs; each fenced one gets a token, larger than the one before. */
    @Test
    void waiters_areServedInOrder() {
        OwnedLock holder = plain();
        get(holder.lockAsync());
        FencedOwnedLock second = fenced();
        CompletableFuture<Long> secondToken = second.lockAndGetTokenAsync();
        day.awaitWaiting(client, 1);
        OwnedLock third = plain();
        CompletableFuture<?> thirdGranted = third.lockAsync();
        day.awaitWaiting(client, 2);
        FencedOwnedLock fourth = fenced();
        CompletableFuture<Long> fourthToken = fourth.lockAndGetTokenAsync();
        day.awaitWaiting(client, 3);

        get(holder.unlockAsync());
        long token = get(secondToken);
        assertThat(thirdGranted).isNotDone();
        get(second.unlockAsync());
        get(thirdGranted);
        assertThat(fourthToken).isNotDone();
        get(third.unlockAsync());
        assertThat(get(fourthToken)).isGreaterThan(token);
        get(fourth.unlockAsync());

        assertThat(client.stats().handoffs()).isEqualTo(3);
    }

    /** A refusal that concerns the tokens fails the waiters for the fenced lock, and those for the plain one wait on. */
    @Test
    void refusedTokens_failFencedWaitersOnly() {
        Lease other = day.bystander().getLock(NAME).acquire();
        CompletableFuture<Long> head = fenced().lockAndGetTokenAsync();
        day.awaitWaiting(client, 1);
        OwnedLock plain = plain();
        CompletableFuture<Boolean> granted = plain.tryLockAsync(FaultyRedis.LONG);
        CompletableFuture<Long> behind = fenced().lockAndGetTokenAsync();
        day.awaitWaiting(client, 3);
        day.server().command("SET", "redisson_lock_token:{" + NAME + "}", "no number");

        other.close();

        assertThat(get(granted)).isTrue();
        get(plain.unlockAsync());
        assertThatThrownBy(() -> get(head)).isInstanceOf(LockException.class).hasMessageContaining("no number");
        assertThatThrownBy(() -> get(behind)).isInstanceOf(LockException.class).hasMessageContaining("no number");
    }
}

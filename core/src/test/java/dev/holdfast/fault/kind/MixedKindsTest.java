package dev.holdfast.fault.kind;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.FaultyRedis;
import dev.holdfast.FencedOwnedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.OwnedLock;
import dev.holdfast.Turn;
import dev.holdfast.testkit.ProxiedConnection;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Owners of one client that want the plain and the fenced lock of one name wait in one queue. */
@Tag("fault")
class MixedKindsTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Holdfast client = faulty.client();

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
        long before = faulty.proxy().commands("EVALSHA");
        Turn turn = Turn.begin();
        CompletableFuture<Long> secondToken = second.lockAndGetTokenAsync();
        faulty.awaitReadyWaiter(client, before);
        OwnedLock third = plain();
        CompletableFuture<?> thirdGranted = third.lockAsync();
        faulty.awaitWaiting(client, 2);
        FencedOwnedLock fourth = fenced();
        CompletableFuture<Long> fourthToken = fourth.lockAndGetTokenAsync();
        faulty.awaitWaiting(client, 3);

        get(holder.unlockAsync());
        long token = get(secondToken);
        assertThat(thirdGranted).isNotDone();
        get(second.unlockAsync());
        get(thirdGranted);
        assertThat(fourthToken).isNotDone();
        get(third.unlockAsync());
        assertThat(get(fourthToken)).isGreaterThan(token);
        get(fourth.unlockAsync());

        turn.assumeNotOverUnless(client.stats().handoffs() == 3);
        assertThat(client.stats().handoffs()).isEqualTo(3);
    }

    /** A refusal that concerns the tokens fails only the waiters for the fenced lock; those for the plain one wait. */
    @Test
    void refusedTokens_failFencedWaitersOnly() {
        Lease other = faulty.bystander().getLock(NAME).acquire();
        CompletableFuture<Long> head = fenced().lockAndGetTokenAsync();
        faulty.awaitWaiting(client, 1);
        OwnedLock plain = plain();
        CompletableFuture<Boolean> granted = plain.tryLockAsync(LONG);
        CompletableFuture<Long> behind = fenced().lockAndGetTokenAsync();
        faulty.awaitWaiting(client, 3);
        faulty.server().command("SET", "redisson_lock_token:{" + NAME + "}", "no number");

        other.close();

        assertThat(get(granted)).isTrue();
        get(plain.unlockAsync());
        assertThatThrownBy(() -> get(head)).isInstanceOf(LockException.class).hasMessageContaining("no number");
        assertThatThrownBy(() -> get(behind)).isInstanceOf(LockException.class).hasMessageContaining("no number");
    }

    /**
     * A handoff whose tokens are refused becomes a release. If its message cannot be received, because the subscription
     * is lost, the plain waiter behind tries all the same.
     */
    @Test
    void refusedHandoff_subscriptionLost_plainWaiterTries() {
        OwnedLock holder = plain();
        get(holder.lockAsync());
        CompletableFuture<Long> head = fenced().lockAndGetTokenAsync();
        faulty.awaitWaiting(client, 1);
        OwnedLock behind = plain();
        CompletableFuture<?> granted = behind.lockAsync();
        faulty.awaitWaiting(client, 2);
        faulty.server().command("SET", "redisson_lock_token:{" + NAME + "}", "no number");
        ProxiedConnection subscriptions = faulty.subscriberConnection();
        faulty.proxy().refuse();
        subscriptions.cutRst();
        eventually(() -> faulty.server().channels().isEmpty());

        get(holder.unlockAsync());

        assertThatThrownBy(() -> get(head)).isInstanceOf(LockException.class).hasMessageContaining("no number");
        get(granted);
        get(behind.unlockAsync());
        faulty.proxy().accept();
    }
}

package dev.holdfast.fault.kind;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.FaultyRedis;
import dev.holdfast.FencedLock;
import dev.holdfast.FencedOwnedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.RealTime;
import dev.holdfast.testkit.Direction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever happens to replies, connections and the server: each hold's token is larger than that of any earlier hold.
 */
@Tag("fault")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
final class TokenOrderTest {
    private static final String NAME = "orders:42";
    private static final String TOKENS = "redisson_lock_token:{orders:42}";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Holdfast client = faulty.client(builder -> builder.commandTimeout(Duration.ofSeconds(5)));
    private final FencedLock lock = client.getFencedLock(NAME);

    private long lastToken() {
        return Long.parseLong(String.valueOf(faulty.server().command("GET", TOKENS)));
    }

    /** A grant whose reply was lost was a hold; the next attempt is another one, and has the token in its own reply. */
    @Test
    void acquire_replyLost_hasTheTokenOfItsOwnHold() {
        faulty.proxy().cutInsteadOfReplyTo(NAME);

        long token = lock.lockAndGetToken();

        assertThat(token).isEqualTo(lastToken());
        assertThat(String.valueOf(faulty.server().command("HVALS", NAME))).contains(String.valueOf(token));
        lock.unlock();
    }

    /** A re-entry whose reply was lost is sent again, and the hold's token is what it was. */
    @Test
    void reentry_replyLost_drawsNothing() {
        long token = lock.lockAndGetToken();
        faulty.proxy().cutInsteadOfReplyTo(NAME);

        assertThat(lock.lockAndGetToken()).isEqualTo(token);

        assertThat(lastToken()).isEqualTo(token);
        lock.unlock();
        lock.unlock();
    }

    /**
     * A handoff of a fenced lock is awaited: without the reply the next owner does not have the lock. The reply brings
     * the token.
     */
    @Test
    void handoff_isAwaited() {
        warmUp();
        Lease holder = lock.acquire();
        CompletableFuture<Lease> waiting = lock.acquireAsync();
        faulty.awaitWaiting(client, 1);
        faulty.commandConnection().blackHole(Direction.REPLIES);

        CompletableFuture<?> released = holder.releaseAsync();
        eventually(() -> lastToken() > holder.token());
        assertThat(waiting).isNotDone();
        assertThat(released).isNotDone();
        faulty.proxy().heal();

        Lease next = get(waiting);
        assertThat(next.token()).isEqualTo(lastToken()).isGreaterThan(holder.token());
        get(released);
        next.close();
    }

    /**
     * A connection ends with a handoff in flight, before or after Redis has executed it: each next hold has a larger
     * token.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void handoff_cut_tokensGrow(boolean hasRun) {
        warmUp();
        List<Long> tokens = new CopyOnWriteArrayList<>();
        for (int round = 0; round < 10; round++) {
            Lease holder = lock.acquire();
            tokens.add(holder.token());
            List<CompletableFuture<?>> waiting = new ArrayList<>();
            for (int waiter = 0; waiter < 3; waiter++) {
                waiting.add(passThrough(tokens));
            }
            faulty.awaitWaiting(client, 3);
            faulty.commandConnection().blackHole(hasRun ? Direction.REPLIES : Direction.REQUESTS);
            CompletableFuture<?> released = holder.releaseAsync();
            if (hasRun) {
                eventually(() -> lastToken() > holder.token());
            }

            faulty.proxy().cutRst();

            waiting.forEach(FaultyRedis::get);
            get(released);
        }
        assertThat(tokens).hasSize(40).isSorted().doesNotHaveDuplicates();
        assertThat(lastToken()).isEqualTo(tokens.get(39));
    }

    private CompletableFuture<?> passThrough(List<Long> tokens) {
        return lock.acquireAsync().thenCompose(lease -> {
            tokens.add(lease.token());
            return lease.releaseAsync();
        });
    }

    /** A server that has lost its data grants larger tokens than before, by an acquire and by a handoff. */
    @Test
    void restart_empty_tokensGrow() {
        long before;
        try (Lease lease = lock.acquire()) {
            before = lease.token();
        }
        faulty.server().kill();
        faulty.server().restart();
        eventually(client::isConnected);
        assertThat(faulty.keys()).isEmpty();

        Lease holder = lock.acquire();
        CompletableFuture<Lease> waiting = lock.acquireAsync();
        faulty.awaitWaiting(client, 1);
        assertThat(holder.token()).isGreaterThan(before);
        faulty.server().command("DEL", TOKENS);
        holder.close();
        Lease next = get(waiting);
        assertThat(next.token()).isGreaterThan(holder.token());
        next.close();
    }

    /**
     * The owner that follows a holder with an expired lease has the larger token, and the late holder keeps the
     * smaller.
     */
    @RealTime
    void expired_takenOver() {
        Lease late = lock.acquire(Duration.ofMillis(500));
        Holdfast bystander = faulty.bystander();
        FencedOwnedLock others = bystander.getFencedLock(NAME).ownedBy(bystander.newOwnerId());
        CompletableFuture<Long> waiting = others.lockAndGetTokenAsync();

        assertThat(get(waiting)).isGreaterThan(late.token());
        assertThatThrownBy(late::close).isInstanceOf(LeaseLostException.class);
        assertThat(late.token()).isLessThan(others.getToken());
        get(others.unlockAsync());
    }

    /**
     * After a first answered handoff, so that nothing but the kind of lock keeps the next owner from starting early.
     */
    private void warmUp() {
        Lease first = lock.acquire();
        CompletableFuture<Lease> second = lock.acquireAsync();
        faulty.awaitWaiting(client, 1);
        first.close();
        get(second).close();
    }
}

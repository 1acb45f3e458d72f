package dev.holdfast.fault.handoff;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Inside;
import dev.holdfast.Lease;
import dev.holdfast.LockKinds;
import dev.holdfast.Patience;
import dev.holdfast.Turn;
import dev.holdfast.testkit.Direction;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A waiter gives up while the lock is being handed off to it: the lock is not lost with it. */
@Tag("fault")
@Tag("slow")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
@ParameterizedClass
@EnumSource(LockKinds.class)
class HandoffLeaversTest {
    private static final String NAME = "orders:42";
    private static final int ROUNDS = 75;

    /** An early start needs more of the lease than this is left. */
    private static final Duration COMMAND_TIMEOUT = LONG.dividedBy(4);

    /** How a waiter leaves. */
    enum Leaver {
        CANCEL,
        TIMEOUT,
        INTERRUPT
    }

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Random random = new Random(42);
    private final Holdfast client = faulty.client(builder -> builder.commandTimeout(COMMAND_TIMEOUT));
    private final DistributedLock lock;
    private final CompletableFuture<Thread> thread = new CompletableFuture<>();

    /** Begins anew with each first waiter. */
    private Turn turn = Turn.begin();

    HandoffLeaversTest(LockKinds kind) {
        this.lock = kind.lock(client, NAME);
    }

    /** If a waiter leaves while the reply to its handoff is in flight, the next waiter gets the lock. */
    @ParameterizedTest
    @EnumSource
    void beforeTheAnswer_nextHolds(Leaver how) {
        Lease holder = lock.acquire();
        CompletableFuture<?> first = waits(how);
        CompletableFuture<Lease> second = lock.acquireAsync();
        CompletableFuture<?> released = handOffWithoutReply(holder);

        leaves(how, first);
        faulty.proxy().heal();

        get(second, SOON).close();
        get(released);
        eventually(() -> faulty.events().orphansReleased() == 1);
    }

    /** If there is no other waiter, the lock is free. */
    @ParameterizedTest
    @EnumSource
    void beforeTheAnswer_alone_isFree(Leaver how) {
        Lease holder = lock.acquire();
        CompletableFuture<?> first = waits(how);
        CompletableFuture<?> released = handOffWithoutReply(holder);

        leaves(how, first);
        faulty.proxy().heal();

        get(released);
        eventually(() -> faulty.keys().isEmpty());
        eventually(() -> faulty.events().orphansReleased() == 1);
    }

    /** An owner that arrives while a handoff to a waiter that has left is in flight gets the lock after it. */
    @ParameterizedTest
    @EnumSource
    void newcomer_beforeTheAnswer_holds(Leaver how) {
        Lease holder = lock.acquire();
        CompletableFuture<?> first = waits(how);
        CompletableFuture<?> released = handOffWithoutReply(holder);
        leaves(how, first);

        CompletableFuture<Lease> newcomer = lock.acquireAsync();
        faulty.proxy().heal();

        get(newcomer, SOON).close();
        get(released);
    }

    /** Whenever the first waiter leaves, the second one gets the lock. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anyMoment_nextHolds(boolean early) {
        int left = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Lease holder = early ? lock.acquire() : lock.acquire(COMMAND_TIMEOUT.dividedBy(2));
            CompletableFuture<Lease> first = lock.acquireAsync();
            CompletableFuture<Lease> second = lock.acquireAsync();
            Patience.await().until(() -> client.stats().waiters() == 2);
            CompletableFuture<Boolean> released = elsewhere(() -> {
                holder.close();
                return true;
            });
            LockSupport.parkNanos(random.nextInt(300_000)); // an arbitrary moment, different each time

            if (first.cancel(true)) {
                left++;
            } else {
                get(first).close();
            }

            get(second, SOON).close();
            get(released);
        }
        assertThat(left).isPositive();
    }

    private CompletableFuture<? extends @Nullable Object> waits(Leaver how) {
        long before = faulty.proxy().commands("EVALSHA");
        turn = Turn.begin();
        CompletableFuture<? extends @Nullable Object> waiter =
                switch (how) {
                    case CANCEL -> lock.acquireAsync();
                    case TIMEOUT -> lock.tryAcquireAsync(Duration.ofSeconds(1));
                    case INTERRUPT ->
                        elsewhere(() -> {
                            thread.complete(Thread.currentThread());
                            lock.lockInterruptibly();
                            return true;
                        });
                };
        eventually(() -> faulty.proxy().commands("EVALSHA") == before + 2
                && !Inside.residue(client).contains("calls in flight"));
        return waiter;
    }

    private CompletableFuture<?> handOffWithoutReply(Lease holder) {
        faulty.commandConnection().blackHole(Direction.REPLIES);
        Object before = faulty.server().command("HGETALL", NAME);
        CompletableFuture<?> released = holder.releaseAsync();
        turn.assumeNotOver();
        eventually(
                () -> !String.valueOf(faulty.server().command("HGETALL", NAME)).equals(String.valueOf(before)));
        assertThat(faulty.keys()).containsExactly(NAME);
        return released;
    }

    private void leaves(Leaver how, CompletableFuture<? extends @Nullable Object> waiter) {
        switch (how) {
            case CANCEL -> assertThat(waiter.cancel(true)).isTrue();
            case TIMEOUT -> assertThat(get(waiter)).isEqualTo(Optional.empty());
            case INTERRUPT -> {
                get(thread).interrupt();
                assertThatThrownBy(() -> get(waiter)).hasCauseInstanceOf(InterruptedException.class);
            }
        }
    }
}

package dev.holdfast.fault.several;

import static dev.holdfast.FaultyRedis.COMMAND_TIMEOUT;
import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.SHORT;
import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import dev.holdfast.MultiLease;
import dev.holdfast.MultiLock;
import dev.holdfast.RealTime;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks of independent servers, of which one fails. */
@Tag("fault")
@Tag("slow")
class MultiLockServersTest {
    private static final String NAME = "account:1";

    @RegisterExtension
    final FaultyRedis one = new FaultyRedis();

    @RegisterExtension
    final FaultyRedis other = new FaultyRedis();

    private final Holdfast first = one.hastyClient(SHORT);
    private final Holdfast second = other.hastyClient(SHORT);

    /** One key on each of two servers. */
    private final MultiLock lock = Holdfast.multiLock(first.getLock(NAME), second.getLock(NAME));

    /** Two locks of one key on two servers are two locks, and both are held. */
    @RealTime
    void acquire_onBoth() {
        try (MultiLease lease = lock.acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(one.keys()).containsExactly(NAME);
            assertThat(other.keys()).containsExactly(NAME);
            assertThat(first.getLock(NAME).tryLock()).isFalse();
            assertThat(second.getLock(NAME).tryLock()).isFalse();
        }
    }

    /** Callers that name the servers in different orders do not wait for each other for ever. */
    @Test
    void acquire_inBothOrders() {
        DistributedLock atOne = one.client().getLock(NAME);
        DistributedLock atOther = other.client().getLock(NAME);
        MultiLock forth = Holdfast.multiLock(atOne, atOther);
        MultiLock reversed = Holdfast.multiLock(atOther, atOne);
        CompletableFuture<Boolean> all = CompletableFuture.completedFuture(true);
        for (MultiLock mine : new MultiLock[] {forth, reversed, forth, reversed}) {
            CompletableFuture<Boolean> done = FaultyRedis.elsewhere(() -> {
                for (int i = 0; i < 100; i++) {
                    mine.acquire().close();
                }
                return true;
            });
            all = all.thenCombine(done, (a, b) -> a && b);
        }
        assertThat(get(all)).isTrue();
    }

    /** A server that does not answer fails the call, and nothing is held on the other one. */
    @Test
    void acquire_oneSilent_noneIsHeld() {
        other.server().pause();
        assertThatThrownBy(() -> lock.acquire()).isInstanceOf(LockException.class);
        assertThatThrownBy(() -> lock.tryAcquire(COMMAND_TIMEOUT.multipliedBy(2)))
                .isInstanceOf(LockException.class);
        eventually(() -> one.keys().isEmpty());
        other.server().resume();
        eventually(() -> other.keys().isEmpty());
    }

    /** A call with a deadline ends with it, also while the first attempts are not answered; nothing is held. */
    @Test
    void acquire_oneSilent_endsAtTheDeadline() {
        UnaryOperator<HoldfastBuilder> patient = builder -> builder.failoverTimeout(LONG);
        MultiLock waits = Holdfast.multiLock(
                one.client(patient).getLock(NAME), other.client(patient).getLock(NAME));
        other.server().pause();
        CompletableFuture<?> call = waits.tryAcquireAsync(Duration.ofMillis(200));
        eventually(() -> one.keys().contains(NAME));
        assertThatThrownBy(() -> get(call, SOON))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("no answer from Redis");
        eventually(() -> one.keys().isEmpty());
        other.server().resume();
        eventually(() -> other.keys().isEmpty());
    }

    /** A call with a deadline outlasts an outage that is shorter. */
    @Test
    void acquire_oneSilent_goesOn() {
        other.server().pause();
        CompletableFuture<Optional<MultiLease>> call = lock.tryAcquireAsync(LONG);
        CompletableFuture<MultiLease> fails = lock.acquireAsync();
        assertThatThrownBy(() -> get(fails, SOON)).isInstanceOf(LockException.class);
        assertThat(call).isNotDone();
        other.server().resume();
        get(call).orElseThrow().close();
    }

    /**
     * An outage at the beginning of the wait is forgotten: if a lock is busy at the end, the call is refused. Whichever of
     * the two servers is waited for first.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void acquire_oneSilentAtFirst_isRefused(boolean oneIsBusy) {
        FaultyRedis silent = oneIsBusy ? other : one;
        DistributedLock busy = (oneIsBusy ? one : other).bystander().getLock(NAME);
        UnaryOperator<HoldfastBuilder> patient = builder -> builder.commandTimeout(Duration.ofSeconds(1));
        Holdfast ofSilent = silent.client(patient);
        MultiLock waits =
                Holdfast.multiLock((oneIsBusy ? one : other).client(patient).getLock(NAME), ofSilent.getLock(NAME));
        try (Lease held = busy.acquire()) {
            silent.server().pause();
            CompletableFuture<Optional<MultiLease>> call = waits.tryAcquireAsync(Duration.ofSeconds(5));
            eventually(() -> ofSilent.stats().failed() > 0);
            silent.server().resume();
            assertThat(get(call)).isEmpty();
            assertThat(held.isValid()).isTrue();
        }
        eventually(() -> silent.keys().isEmpty());
    }

    /** A re-entry for which Redis is asked ends with its wait, or with an interrupt, and adds no level. */
    @Test
    void reentry_oneSilent_endsInTime() {
        UnaryOperator<HoldfastBuilder> patient = builder -> builder.commandTimeout(LONG.dividedBy(2));
        MultiLock held = Holdfast.multiLock(
                one.client(patient).getLock(NAME), other.client(patient).getLock(NAME));
        CompletableFuture<Thread> waiting = new CompletableFuture<>();
        CompletableFuture<Integer> levels = FaultyRedis.elsewhere(() -> {
            assertThat(held.tryLock()).isTrue();
            other.server().pause();
            assertThatThrownBy(() -> held.tryLock(Duration.ofMillis(200), LONG))
                    .isInstanceOf(LockException.class)
                    .hasMessageContaining("whether they are held");
            waiting.complete(Thread.currentThread());
            assertThatThrownBy(() -> held.lockInterruptibly(LONG)).isInstanceOf(InterruptedException.class);
            int count = held.getHoldCount();
            other.server().resume();
            held.unlock();
            return count;
        });
        get(waiting).interrupt();
        assertThat(get(levels)).isEqualTo(1);
        assertThat(one.keys()).isEmpty();
    }

    /** A server that stops loses the whole, and the holder is told; it releases the lock on the other one. */
    @RealTime
    void held_oneStops_wholeIsLost() {
        MultiLease lease = lock.acquire();
        other.server().kill();
        assertThat(get(lease.lost().toCompletableFuture(), SOON).reason()).isEqualTo(LossReason.UNREACHABLE);
        assertThat(lease.isValid()).isFalse();
        assertThat(one.keys()).containsExactly(NAME);
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
        assertThat(one.keys()).isEmpty();
        other.server().restart();
    }

    /** A server that stops while the call waits for the other one's lock ends the call, and nothing is held. */
    @RealTime
    void waiting_oneStops_nothingIsLeft() {
        boolean firstBehind = address(one).compareTo(address(other)) > 0;
        FaultyRedis held = firstBehind ? other : one;
        FaultyRedis awaited = firstBehind ? one : other;
        Lease busy = awaited.bystander().getLock(NAME).acquire(Duration.ofSeconds(30));
        CompletableFuture<MultiLease> waits = lock.acquireAsync();
        eventually(() -> held.keys().contains(NAME)
                && first.stats().waiters() + second.stats().waiters() == 1);
        held.server().kill();
        assertThatThrownBy(() -> get(waits, SOON)).isInstanceOf(LeaseLostException.class);
        busy.close();
        held.server().restart();
    }

    private static String address(FaultyRedis redis) {
        return redis.proxy().port() + "/0";
    }
}

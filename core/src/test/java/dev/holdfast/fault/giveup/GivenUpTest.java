package dev.holdfast.fault.giveup;

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
import dev.holdfast.testkit.Direction;
import dev.holdfast.testkit.ProxiedConnection;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Callers give up at any moment: before the command is sent, while it or its reply is in flight, while they wait, when
 * they hold. Each caller either holds or does not, knows which, and leaves nothing behind.
 */
@Tag("fault")
@Tag("slow")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
@ParameterizedClass
@EnumSource(LockKinds.class)
class GivenUpTest {
    private static final String NAME = "orders:42";
    private static final int ROUNDS = 60;

    /** Long enough for a command to be observed in flight, and cut off. */
    private static final Duration IN_FLIGHT = Duration.ofMillis(300);

    /** The interruptible acquire methods of a thread. */
    enum Interruptible {
        LOCK_INTERRUPTIBLY {
            @Override
            boolean acquire(DistributedLock lock) throws InterruptedException {
                lock.lockInterruptibly();
                return true;
            }
        },
        TRY_LOCK {
            @Override
            boolean acquire(DistributedLock lock) throws InterruptedException {
                return lock.tryLock(LONG);
            }
        };

        abstract boolean acquire(DistributedLock lock) throws InterruptedException;
    }

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Random random = new Random(42);
    private final Holdfast client = faulty.client(builder -> builder.commandTimeout(Duration.ofSeconds(5)));
    private final DistributedLock lock;
    private final LockKinds kind;

    GivenUpTest(LockKinds kind) {
        this.kind = kind;
        this.lock = kind.lock(client, NAME);
    }

    /** An interrupt either ends the wait, and nothing is held, or comes too late, and the flag is kept. */
    @ParameterizedTest
    @EnumSource
    void interrupt_anyMoment_throwsOrHolds(Interruptible how) {
        int abandoned = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Optional<Lease> busy = sometimesBusy(round);
            boolean held = interruptedAtSomeMoment(() -> {
                try {
                    assertThat(how.acquire(lock)).isTrue();
                } catch (InterruptedException e) {
                    assertThat(Thread.interrupted()).isFalse();
                    assertThat(lock.isHeldByCurrentThread()).isFalse();
                    assertThatThrownBy(lock::unlock).isExactlyInstanceOf(IllegalMonitorStateException.class);
                    return false;
                }
                assertThat(lock.getHoldCount()).isEqualTo(1);
                lock.unlock();
                return true;
            });
            abandoned += held ? 0 : 1;
            busy.ifPresent(Lease::close);
            assertFree();
        }
        assertThat(abandoned).isPositive();
    }

    /**
     * An interrupt does not end an uninterruptible wait: the caller holds, once, and its interrupt flag is set again.
     */
    @Test
    void interrupt_ofLock_holdsAndKeepsTheFlag() {
        for (int round = 0; round < 2 * ROUNDS; round++) {
            Optional<Lease> busy = sometimesBusy(round);
            CompletableFuture<Thread> thread = new CompletableFuture<>();
            CompletableFuture<Boolean> done = elsewhere(() -> {
                thread.complete(Thread.currentThread());
                lock.lock();
                // If the interrupt is still to come, the flag will be set before the unlock has ended.
                int held = lock.getHoldCount();
                lock.unlock();
                assertThat(held).isEqualTo(1);
                while (!Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                }
                return true;
            });
            Thread waiter = get(thread);
            passSomeTime();
            waiter.interrupt();
            waiter.interrupt();
            busy.ifPresent(Lease::close);

            assertThat(get(done)).isTrue();
            assertFree();
        }
    }

    /** A future that was cancelled in time acquires nothing; otherwise the caller has the lease and must close it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void cancel_anyMoment_leavesNothing(boolean contended) {
        int abandoned = 0;
        for (int round = 0; round < ROUNDS; round++) {
            delaySomewhat();
            Optional<Lease> busy = contended ? Optional.of(lock.acquire()) : Optional.empty();
            CompletableFuture<Lease> acquire = lock.acquireAsync();
            passSomeTime();
            Optional<CompletableFuture<?>> released = busy.map(Lease::releaseAsync);
            passSomeTime();

            if (acquire.cancel(true)) {
                abandoned++;
                assertThatThrownBy(() -> acquire.getNow(null)).isInstanceOf(CancellationException.class);
            } else {
                get(acquire).close();
            }

            released.ifPresent(FaultyRedis::get);
            assertFree();
        }
        assertThat(abandoned).isPositive();
    }

    /** A future that its caller completes is given up like a cancelled one. */
    @Test
    void complete_byCaller_leavesNothing() {
        Lease holder = lock.acquire();
        CompletableFuture<Boolean> tried = lock.tryLockAsync(LONG);
        faulty.awaitWaiting(client, 1);

        assertThat(tried.complete(false)).isTrue();

        eventually(() -> client.stats().waiters() == 0);
        holder.close();
        assertFree();
    }

    /** A waiter that gives up does not consume another waiter's wake-up: those behind it get the lock soon. */
    @Test
    void interrupt_ofFirstWaiter_wakesTheNext() {
        DistributedLock others = kind.lock(faulty.bystander(), NAME);
        for (int round = 0; round < ROUNDS / 2; round++) {
            delaySomewhat();
            Lease holder = others.acquire();
            CompletableFuture<Lease> first = lock.acquireAsync();
            CompletableFuture<Lease> second = lock.acquireAsync();
            faulty.awaitWaiting(client, 2);

            CompletableFuture<?> released = holder.releaseAsync();
            passSomeTime();
            if (!first.cancel(true)) {
                get(first).close();
            }

            get(second, SOON).close();
            get(released);
        }
    }

    private boolean interruptedAtSomeMoment(Callable<Boolean> task) {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Boolean> done = elsewhere(() -> {
            thread.complete(Thread.currentThread());
            return task.call();
        });
        Thread waiter = get(thread);
        passSomeTime();
        waiter.interrupt();
        return get(done);
    }

    /** An acquire is sent twice, the first reply is lost and so is the second request: neither leaves a hold behind. */
    @Test
    void cancel_afterTwoSendings_leavesNothing() {
        ProxiedConnection first = faulty.commandConnection();
        first.blackHole(Direction.REPLIES);
        CompletableFuture<Lease> acquired = lock.acquireAsync();
        eventually(() -> !faulty.keys().isEmpty());
        Object granted = faulty.server().command("HGETALL", NAME);
        faulty.proxy().delay(Direction.REQUESTS, IN_FLIGHT);
        first.cutRst();
        eventually(() -> !faulty.proxy().connections().contains(first));
        ProxiedConnection second = faulty.commandConnection();
        eventually(() -> second.commands("EVALSHA") == 1);

        second.cutRst();
        assertThat(acquired.cancel(true)).isTrue();
        assertThat(faulty.server().command("HGETALL", NAME))
                .as("granted by the first alone")
                .isEqualTo(granted);
        faulty.proxy().heal();

        assertFree();
    }

    /** {@return a hold of the lock by another owner, every other time} */
    private Optional<Lease> sometimesBusy(int round) {
        delaySomewhat();
        return round % 2 == 0 ? Optional.empty() : Optional.of(lock.acquire());
    }

    /** Asserts that another client gets the lock soon, so no hold without an owner is left. */
    private void assertFree() {
        faulty.proxy().delay(Duration.ZERO);
        eventually(() -> Inside.residue(client).matches("(\\{channels=\\d+})?"));
        assertThat(faulty.keys()).isEmpty();
    }

    private void delaySomewhat() {
        faulty.proxy().delay(Duration.ofNanos(random.nextInt(2_000_000)));
    }

    /** Waits for an arbitrary time, different each time. */
    private void passSomeTime() {
        LockSupport.parkNanos(random.nextInt(6_000_000));
    }
}

package dev.holdfast.fault.giveup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.MultiLock;
import dev.holdfast.Patience;
import dev.holdfast.SegmentedLock;
import dev.holdfast.SharedRedis;
import dev.holdfast.Worker;
import dev.holdfast.testkit.Direction;
import dev.holdfast.testkit.FaultProxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An interrupt ends {@code acquireInterruptibly}, before the call, while it waits and while its command is under way, and
 * never {@code acquire}. Whenever it comes, the caller has the handle, or nobody has the lock.
 */
@Tag("fault")
@ParameterizedClass
@EnumSource(AcquireInterruptiblyTest.What.class)
final class AcquireInterruptiblyTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int RACES = 20;

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    @AutoClose
    private final FaultProxy proxy = FaultProxy.inFrontOf(redis.server());

    @AutoClose
    private final Holdfast client = redis.connect(builder -> builder.redisUri(proxy.uri()));

    private final Way uninterruptible;
    private final List<Way> interruptible;

    /** One of the locks that the calls are for, in another client. */
    private final DistributedLock theirs;

    /** What has handles. */
    enum What {
        PLAIN,
        FENCED,
        SEVERAL,
        SEGMENT
    }

    private interface Way {
        Lease acquire() throws InterruptedException;
    }

    AcquireInterruptiblyTest(What what) {
        String name = redis.name();
        theirs = redis.rival().getLock(what == What.SEGMENT ? name + ":0" : name);
        switch (what) {
            case SEVERAL -> {
                MultiLock both = Holdfast.multiLock(client.getFencedLock(name + " too"), client.getLock(name));
                uninterruptible = both::acquire;
                interruptible = List.of(both::acquireInterruptibly, () -> both.acquireInterruptibly(MINUTE));
            }
            case SEGMENT -> {
                SegmentedLock only = client.getSegmentedLock(name, 1);
                uninterruptible = only::acquire;
                interruptible = List.of(only::acquireInterruptibly, () -> only.acquireInterruptibly(MINUTE));
            }
            default -> {
                DistributedLock lock = what == What.PLAIN ? client.getLock(name) : client.getFencedLock(name);
                uninterruptible = lock::acquire;
                interruptible = List.of(lock::acquireInterruptibly, () -> lock.acquireInterruptibly(MINUTE));
            }
        }
    }

    /** A thread that is interrupted already acquires nothing, not even a free lock, and its flag is cleared. */
    @Test
    void interruptedBefore() {
        for (Way way : interruptible) {
            boolean flag = redis.worker().does(() -> {
                Thread.currentThread().interrupt();
                assertThatThrownBy(way::acquire).isInstanceOf(InterruptedException.class);
                return Thread.currentThread().isInterrupted();
            });
            assertThat(flag).isFalse();
        }
        assertThat(client.stats().acquired()).isZero();
        theirs.acquire().close();
    }

    /** An interrupt ends the wait, clears the flag, and leaves neither a waiter nor a hold. */
    @Test
    void interruptedWhileWaiting() {
        for (Way way : interruptible) {
            Lease held = theirs.acquire();
            Worker caller = redis.worker();
            CompletableFuture<Optional<Lease>> waiting = caller.begins(() -> interruptedIn(way));
            Patience.await().until(() -> client.stats().waiters() == 1);
            caller.thread().interrupt();
            assertThat(Patience.get(waiting)).isEmpty();
            assertThat(held.isValid()).isTrue();
            Patience.await().until(() -> client.stats().waiters() == 0);
            held.close();
            awaitFree();
        }
        assertThat(client.stats().holds()).isZero();
    }

    /** {@return the handle, with which the flag stays set; empty if the interrupt has ended the call, which clears the flag} */
    private static Optional<Lease> interruptedIn(Way way) {
        try {
            Lease lease = way.acquire();
            while (!Thread.currentThread().isInterrupted()) {
                LockSupport.park();
            }
            return Optional.of(lease);
        } catch (InterruptedException e) {
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            return Optional.empty();
        }
    }

    /** The lock can be had long before a lease would have run out. */
    private void awaitFree() {
        Patience.get(theirs.acquireAsync()).close();
        Patience.await().until(() -> redis.keys().isEmpty());
    }

    /** What Redis has granted to a call that was interrupted with the reply in flight is released. */
    @Test
    void interruptedDuringTheRoundTrip() {
        for (Way way : interruptible) {
            Worker caller = redis.worker();
            proxy.blackHole(Direction.REPLIES);
            CompletableFuture<Optional<Lease>> acquiring = caller.begins(() -> interruptedIn(way));
            Patience.await().until(theirs::isLocked);
            caller.thread().interrupt();
            assertThat(Patience.get(acquiring)).isEmpty();
            proxy.heal();
            awaitFree();
        }
        assertThat(client.stats().holds()).isZero();
    }

    /** A grant that crosses the interrupt is the caller's, whose flag stays set, or it is released. */
    @Test
    void interruptedAtTheGrant() {
        Worker caller = redis.worker();
        for (int race = 0; race < RACES; race++) {
            Way way = interruptible.get(race % interruptible.size());
            Lease held = theirs.acquire();
            CompletableFuture<Optional<Lease>> waiting = caller.begins(() -> interruptedIn(way));
            Patience.await().until(() -> client.stats().waiters() == 1);
            CompletableFuture<?> released = held.releaseAsync();
            caller.thread().interrupt();
            Patience.get(released);
            Patience.get(waiting).ifPresent(Lease::close);
            awaitFree();
        }
        assertThat(client.stats().holds()).isZero();
    }

    /** Interrupts do not end an uninterruptible call; the flag is set when it returns. */
    @Test
    void acquire_interrupted() {
        Lease held = theirs.acquire();
        Worker caller = redis.worker();
        CompletableFuture<Boolean> flag = caller.begins(() -> {
            Lease lease = uninterruptible.acquire();
            boolean interrupted = Thread.currentThread().isInterrupted();
            lease.close();
            return interrupted;
        });
        Patience.await().until(() -> client.stats().waiters() == 1);
        Stream.of(1, 2).forEach(interrupt -> {
            caller.thread().interrupt();
            Patience.await().until(() -> !caller.thread().isInterrupted());
        });
        assertThat(flag).isNotDone();
        held.close();
        assertThat(Patience.get(flag)).isTrue();
    }
}

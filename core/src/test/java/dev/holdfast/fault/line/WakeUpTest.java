package dev.holdfast.fault.line;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Inside;
import dev.holdfast.Lease;
import dev.holdfast.Patience;
import dev.holdfast.RealTime;
import dev.holdfast.SharedRedis;
import dev.holdfast.testkit.Direction;
import dev.holdfast.testkit.FaultProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What wakes waiters, and how many commands it costs. */
@Tag("fault")
final class WakeUpTest {
    private static final int WAITERS = 32;

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    @AutoClose
    private final FaultProxy proxy = FaultProxy.inFrontOf(redis.server());

    /** Behind the proxy; closed by the test, before the proxy is. */
    @AutoClose
    private final Holdfast client = redis.connect(builder -> builder.redisUri(proxy.uri()));

    private final DistributedLock lock = client.getLock(redis.name());

    /**
     * {@return that many waiters, all queued} The first of them tries, subscribes and tries again; the others then
     * queue behind it without a command.
     */
    private List<CompletableFuture<Lease>> waiters(int count) {
        List<CompletableFuture<Lease>> waiting = new ArrayList<>(List.of(lock.acquireAsync()));
        Patience.await()
                .until(() -> proxy.commands("EVALSHA") == 2
                        && !Inside.residue(client).contains("calls in flight"));
        proxy.resetCounters();
        for (int i = 1; i < count; i++) {
            waiting.add(lock.acquireAsync());
        }
        assertThat(client.stats().waiters()).isEqualTo(count);
        return waiting;
    }

    /** A release grants the lock to a client once, however many wait in it, and costs that client no command. */
    @Test
    void release_costsNoTry() {
        Lease holder = redis.rival().getLock(redis.name()).acquire();
        List<CompletableFuture<Lease>> waiting = waiters(WAITERS);

        holder.close();
        Lease first = Patience.get(waiting.get(0));

        assertThat(waiting.subList(1, WAITERS)).noneMatch(CompletableFuture::isDone);
        assertThat(proxy.commands("EVALSHA")).isZero();
        first.close();
        waiting.stream()
                .skip(1)
                .map(next -> next.thenCompose(Lease::releaseAsync))
                .toList()
                .forEach(Patience::get);
    }

    /**
     * Each of many waiters gets the lock, in order, for one command each at most: the first by a grant, the others by
     * handoffs, of which a command may cover several.
     */
    @Test
    void everyGrant_costsOneCommandAtMost() {
        Lease holder = redis.rival().getLock(redis.name()).acquire();
        List<CompletableFuture<Lease>> waiting = waiters(WAITERS);

        holder.close();
        waiting.stream()
                .map(next -> next.thenCompose(Lease::releaseAsync))
                .toList()
                .forEach(Patience::get);

        assertThat(proxy.commands("EVALSHA")).isBetween(2L, WAITERS + 1L);
    }

    /** A holder that ends without a release keeps waiters for no longer than its lease. */
    @RealTime
    void lease_endsWithoutARelease() {
        redis.server().command("HSET", redis.name(), "another-program:1", "1");
        redis.server().command("PEXPIRE", redis.name(), "600");
        CompletableFuture<Lease> waiting = lock.acquireAsync();
        assertThat(waiting).isNotDone();
        Patience.get(waiting).close();
    }

    /** A wait ends with its deadline though the holder's lease is longer. */
    @RealTime
    void deadline_beforeTheLease() throws InterruptedException {
        Lease holder = redis.rival().getLock(redis.name()).acquire();
        long begin = System.nanoTime();
        assertThat(lock.tryAcquire(Duration.ofMillis(100))).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .isBetween(Duration.ofMillis(100), Duration.ofSeconds(20));
        holder.close();
    }

    /**
     * {@code tryLock()} does not queue, and does not overtake a client in line: a release grants the lock to that
     * client although it has not received the message yet.
     */
    @Test
    void tryLock_doesNotOvertake() {
        Lease holder = redis.rival().getLock(redis.name()).acquire();
        CompletableFuture<Lease> waiting = waiters(1).get(0);
        proxy.matching(connection -> connection.commands("SUBSCRIBE") > 0).blackHole(Direction.REPLIES);
        holder.close();

        assertThat(redis.worker().<Boolean>does(() -> lock.tryLock())).isFalse();
        assertThat(waiting).isNotDone();
        proxy.heal();
        Patience.get(waiting).close();
    }

    /** Waiters that leave in any way do not consume the others' wake-up. */
    @Test
    void leavers_consumeNoWakeUp() {
        Lease holder = redis.rival().getLock(redis.name()).acquire();
        List<CompletableFuture<Lease>> waiting = waiters(WAITERS);
        CompletableFuture<?> released = holder.releaseAsync();
        waiting.subList(0, WAITERS - 1).forEach(future -> {
            if (!future.cancel(false)) {
                future.thenAccept(Lease::close).join();
            }
        });
        Patience.get(released);
        Patience.get(waiting.get(WAITERS - 1)).close();
    }
}

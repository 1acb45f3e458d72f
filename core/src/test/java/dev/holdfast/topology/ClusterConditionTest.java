package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.SharedCluster;
import dev.holdfast.internal.kind.HashSlot;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.ClusterNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Conditions in a cluster: each lock's on the master of its slot. */
@Tag("topology")
@Tag("slow")
class ClusterConditionTest {
    private static final int LOCKS = 12;

    private static final String FULL = "full";

    @RegisterExtension
    final SharedCluster redis = new SharedCluster(binary(), 0);

    RedisBinary binary() {
        return RedisBinary.byDefault();
    }

    /** {@return whether so many wait at that master} */
    private static boolean areInSets(ClusterNode master, String name, int waiters) {
        Object fields = requireNonNull(master.server().command("HKEYS", "holdfast_condition:{" + name + "}"));
        return ((List<?>) fields)
                        .stream()
                                .filter(field -> field.toString().startsWith("owner:"))
                                .count()
                == waiters;
    }

    /** Waits until that is so, in a thread of its own. */
    private static CompletableFuture<?> waits(Holdfast client, String name, AtomicBoolean fulfilled) {
        DistributedLock lock = client.getLock(name);
        return elsewhere(() -> lock.callLocked(() -> {
            while (!fulfilled.get()) {
                lock.getCondition(FULL).await();
            }
            return lock.isHeldByCurrentThread();
        }));
    }

    private static void fulfil(Holdfast client, String name, AtomicBoolean fulfilled) {
        DistributedLock lock = client.getLock(name);
        lock.runLocked(() -> {
            fulfilled.set(true);
            lock.getCondition(FULL).signal();
        });
    }

    /** A signal wakes the one waiter that is the first, on each master. */
    @Test
    void signal_onEachMaster() {
        List<CompletableFuture<?>> waiting = new ArrayList<>();
        AtomicBoolean fulfilled = new AtomicBoolean();
        for (int i = 0; i < LOCKS; i++) {
            String name = "lock " + i;
            waiting.add(waits(redis.rival(), name, fulfilled));
            eventually(() -> areInSets(redis.cluster().masterOf(name), name, 1));
            waiting.add(waits(redis.client(), name, fulfilled));
            eventually(() -> areInSets(redis.cluster().masterOf(name), name, 2));
        }
        for (ClusterNode master : redis.cluster().masters()) {
            assertThat(master.server().keys()).isNotEmpty();
        }
        for (int i = 0; i < LOCKS; i++) {
            fulfil(redis.client(), "lock " + i, fulfilled);
            get(waiting.get(2 * i));
            assertThat(waiting.get(2 * i + 1)).isNotDone();
        }
        assertThat(redis.client().stats().spuriousWakeUps()
                        + redis.rival().stats().spuriousWakeUps())
                .isZero();
        for (int i = 0; i < LOCKS; i++) {
            fulfil(redis.client(), "lock " + i, fulfilled);
        }
        waiting.forEach(wait -> get(wait));
    }

    /** When the slot has moved, all wake, and those that wait again are signalled at the new master. */
    @Test
    void await_whileTheSlotMoves() {
        AtomicBoolean fulfilled = new AtomicBoolean();
        CompletableFuture<?> first = waits(redis.rival(), "moved", fulfilled);
        CompletableFuture<?> second = waits(redis.client(), "moved", fulfilled);
        ClusterNode master = redis.cluster().masterOf("moved");
        eventually(() -> areInSets(master, "moved", 2));
        ClusterNode target = redis.cluster().masterBeside(master);

        redis.cluster().migrate(HashSlot.of("moved"), target);
        // A client may be notified of the move more than once.
        eventually(() -> redis.client().stats().spuriousWakeUps() > 0
                && redis.rival().stats().spuriousWakeUps() > 0
                && areInSets(target, "moved", 2));
        fulfil(redis.client(), "moved", fulfilled);
        fulfil(redis.client(), "moved", fulfilled);

        get(first);
        get(second);
    }
}

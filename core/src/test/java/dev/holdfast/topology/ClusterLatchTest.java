package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.DistributedCountDownLatch;
import dev.holdfast.Holdfast;
import dev.holdfast.SharedCluster;
import dev.holdfast.internal.kind.HashSlot;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.ClusterNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Latches in a cluster: each on the master of its slot. */
@Tag("topology")
@Tag("slow")
class ClusterLatchTest {
    private static final int LATCHES = 20;

    @RegisterExtension
    final SharedCluster redis = new SharedCluster(binary(), 0);

    RedisBinary binary() {
        return RedisBinary.byDefault();
    }

    /** Latches on all masters are opened by one client for another. */
    @Test
    void await_onEachMaster() {
        List<CompletableFuture<?>> waiting = new ArrayList<>();
        for (int i = 0; i < LATCHES; i++) {
            redis.client().getCountDownLatch("latch " + i).trySetCount(2);
            waiting.add(redis.rival().getCountDownLatch("latch " + i).awaitAsync());
        }
        for (ClusterNode master : redis.cluster().masters()) {
            assertThat(master.server().keys()).isNotEmpty();
        }
        for (int i = 0; i < LATCHES; i++) {
            redis.client().getCountDownLatch("latch " + i).countDown(2);
        }
        waiting.forEach(wait -> get(wait));
    }

    /** A latch whose slot is moved while it is awaited is opened at its new master. */
    @Test
    void await_whileTheSlotMoves() {
        DistributedCountDownLatch latch = redis.client().getCountDownLatch("moved");
        latch.trySetCount(2);
        CompletableFuture<?> waiting = redis.rival().getCountDownLatch("moved").awaitAsync();
        eventually(() -> redis.rival().stats().waiters() == 1);
        latch.countDown();
        ClusterNode master = redis.cluster().masterOf("moved");
        int slot = HashSlot.of("moved");

        redis.cluster().migrate(slot, redis.cluster().masterBeside(master));
        latch.countDown();

        get(waiting);
    }

    /** A name with a hash tag of its own is refused, since Redisson's channel would be in another slot. */
    @Test
    void hashTag_isRefused() {
        Holdfast client = redis.client();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.getCountDownLatch("{orders}:42"))
                .withMessageContainingAll("hash tag", "{orders}:42");
        assertThat(client.getCountDownLatch("a{b").getCount()).isZero();
    }
}

package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.DataNode;
import dev.holdfast.testkit.topology.RedisSentinels;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A replica takes the place of a master, and lacks what that has acknowledged last: all wake that wait for conditions. */
@Tag("topology")
@Tag("slow")
@SuppressWarnings("WaitNotInLoop") // what one wait does is what is tested
final class ConditionFailoverTest {
    private static final String NAME = "failed over";

    private static final String KEY = "holdfast_condition:{" + NAME + "}";

    private static CompletableFuture<Boolean> waits(Holdfast client, RedisServer master) {
        long before = inSets(master);
        DistributedLock lock = client.getLock(NAME);
        CompletableFuture<Boolean> waiter = elsewhere(() -> lock.callLocked(() -> {
            lock.getCondition("full").await();
            return lock.isHeldByCurrentThread();
        }));
        eventually(() -> inSets(master) == before + 1);
        return waiter;
    }

    private static long inSets(RedisServer master) {
        return ((List<?>) requireNonNull(master.command("HKEYS", KEY)))
                .stream().filter(field -> field.toString().startsWith("owner:")).count();
    }

    /** Waiters wake that are in the wait sets of the new master, since it may lack signals, and those that it does not have. */
    @Test
    void promoted_allWake() {
        try (Shard shard = new Shard(RedisBinary.byDefault())) {
            CompletableFuture<Boolean> replicated = waits(shard.client, shard.master.server());
            shard.cutReplication();
            CompletableFuture<Boolean> missing = waits(shard.rival, shard.master.server());

            shard.promoteReplica();

            assertThat(get(replicated, SOON)).isTrue();
            assertThat(get(missing, SOON)).isTrue();
            assertThat(shard.client.stats().spuriousWakeUps()).isEqualTo(1);
            assertThat(shard.rival.stats().spuriousWakeUps()).isEqualTo(1);
            assertThat(shard.client.stats().lastResortWakeUps()).isZero();
        }
    }

    /** Under sentinels likewise. */
    @Test
    void sentinels_allWake() {
        try (RedisSentinels sentinels =
                        RedisSentinels.builder().binary(RedisBinary.byDefault()).start();
                Holdfast client = Holdfast.connect(sentinels.uri());
                Holdfast rival = Holdfast.connect(sentinels.uri())) {
            DataNode old = sentinels.master();
            CompletableFuture<Boolean> replicated = waits(client, old.server());
            sentinels.replicas().forEach(sentinels::awaitInSync);
            sentinels.replicas().forEach(DataNode::cutReplication);
            CompletableFuture<Boolean> missing = waits(rival, old.server());

            old.server().kill();
            DataNode master = sentinels.awaitMasterOtherThan(old);

            assertThat(get(replicated)).isTrue();
            assertThat(get(missing)).isTrue();
            CompletableFuture<Boolean> again = waits(rival, master.server());
            client.getLock(NAME).runLocked(client.getLock(NAME).getCondition("full")::signal);
            assertThat(get(again)).isTrue();
        }
    }
}

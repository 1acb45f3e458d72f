package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedCountDownLatch;
import dev.holdfast.Holdfast;
import dev.holdfast.LatchGoneException;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.DataNode;
import dev.holdfast.testkit.topology.RedisSentinels;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A replica takes the place of a latch's master and lacks what that has acknowledged last: countdowns are repeated, and a set
 * that was lost is not awaited for ever.
 */
@Tag("topology")
@Tag("slow")
final class LatchFailoverTest {
    private static final String NAME = "failed over";

    private static DistributedCountDownLatch latch(Holdfast client) {
        return client.getCountDownLatch(NAME);
    }

    /** Each client repeats its own countdowns, without another call: the latch is as it was acknowledged. */
    @Test
    void countdowns_notReplicated_areRepeated() {
        try (Shard shard = new Shard(RedisBinary.byDefault())) {
            latch(shard.client).trySetCount(10);
            latch(shard.client).countDown();
            shard.cutReplication();
            latch(shard.client).countDown(2);
            latch(shard.rival).countDown();
            latch(shard.client).countDown(3);

            shard.promoteReplica();

            eventually(() ->
                    assertThat(shard.replica.server().command("GET", NAME)).isEqualTo("3"));
            latch(shard.rival).countDown();
            assertThat(latch(shard.client).getCount()).isEqualTo(2);
        }
    }

    /** An opening that the new master lacks opens the latch there, too; a countdown that had no effect is not repeated. */
    @Test
    void opening_notReplicated_isRepeated() {
        try (Shard shard = new Shard(RedisBinary.byDefault())) {
            latch(shard.client).trySetCount(2);
            shard.cutReplication();
            latch(shard.client).countDown();
            latch(shard.client).countDown();
            latch(shard.rival).countDown();

            shard.promoteReplica();
            CompletableFuture<?> waiting = latch(shard.rival).awaitAsync();

            get(waiting);
            assertThat(latch(shard.rival).trySetCount(1)).isTrue();
            latch(shard.client).getCount();
            assertThat(latch(shard.rival).getCount()).isEqualTo(1);
        }
    }

    /** A countdown that had no effect, since another client had opened the latch, is not repeated: it would count then. */
    @Test
    void noEffect_notRepeated() {
        try (Shard shard = new Shard(RedisBinary.byDefault())) {
            latch(shard.client).trySetCount(1);
            shard.cutReplication();
            latch(shard.client).countDown();
            latch(shard.rival).countDown();
            shard.client.close();

            shard.promoteReplica();

            assertThat(latch(shard.rival).trySetCount(5)).isFalse();
            assertThat(latch(shard.rival).getCount()).isEqualTo(1);
        }
    }

    /** A command that is in flight when the master dies comes behind the countdowns that the new one lacks. */
    @Test
    void command_behindTheRepeated() {
        try (Shard shard = new Shard(RedisBinary.byDefault())) {
            latch(shard.client).trySetCount(5);
            shard.cutReplication();
            latch(shard.client).countDown();
            shard.master.server().kill();
            CompletableFuture<?> down = latch(shard.client).countDownAsync();

            shard.takeOver();

            get(down);
            assertThat(latch(shard.rival).getCount()).isEqualTo(3);
        }
    }

    /** Those that await a count which the new master never had are not left waiting; those of an older one wait on. */
    @Test
    void set_notReplicated_isGone() {
        try (Shard shard = new Shard(RedisBinary.byDefault())) {
            DistributedCountDownLatch kept = shard.rival.getCountDownLatch("kept");
            kept.trySetCount(1);
            CompletableFuture<?> waitsOn = kept.awaitAsync();
            shard.cutReplication();
            latch(shard.client).trySetCount(1);
            CompletableFuture<?> waiting = latch(shard.rival).awaitAsync();
            eventually(() -> shard.rival.stats().waiters() == 2);
            assertThat(latch(shard.rival).getCount()).isEqualTo(1);

            shard.promoteReplica();

            assertThatThrownBy(() -> get(waiting)).isInstanceOf(LatchGoneException.class);
            assertThat(waitsOn).isNotDone();
            shard.client.getCountDownLatch("kept").countDown();
            get(waitsOn);
        }
    }

    /** Under sentinels likewise. */
    @Test
    void sentinels_countdownsAreRepeated() {
        try (RedisSentinels sentinels =
                        RedisSentinels.builder().binary(RedisBinary.byDefault()).start();
                Holdfast client = Holdfast.connect(sentinels.uri());
                Holdfast rival = Holdfast.connect(sentinels.uri())) {
            latch(client).trySetCount(3);
            CompletableFuture<?> waiting = latch(rival).awaitAsync();
            eventually(() -> rival.stats().waiters() == 1);
            DataNode old = sentinels.master();
            sentinels.replicas().forEach(sentinels::awaitInSync);
            sentinels.replicas().forEach(DataNode::cutReplication);
            latch(client).countDown();
            old.server().kill();
            DataNode master = sentinels.awaitMasterOtherThan(old);

            eventually(() -> assertThat(master.server().command("GET", NAME)).isEqualTo("2"));
            latch(rival).countDown(2);
            get(waiting);
        }
    }

    /** With replicated locks, a set and a countdown are acknowledged when a replica has them. */
    @Test
    void replicated_waitsForReplicas() {
        try (Shard shard = new Shard(RedisBinary.byDefault());
                Holdfast safe = Holdfast.builder()
                        .redisUri(shard.master.uri())
                        .replicated(1, Duration.ofSeconds(1))
                        .build()) {
            shard.cluster.awaitInSync(shard.replica);
            long before = CommandStats.waits(shard.master.server());
            latch(safe).trySetCount(2);
            latch(safe).countDown();
            assertThat(CommandStats.waits(shard.master.server())).isGreaterThanOrEqualTo(before + 2);
        }
    }
}

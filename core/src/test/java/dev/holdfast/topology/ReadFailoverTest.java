package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.DataNode;
import dev.holdfast.testkit.topology.RedisSentinels;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A replica takes the place of its master, and lacks what that has acknowledged last to readers, or for them. */
@Tag("topology")
@Tag("slow")
final class ReadFailoverTest {
    private static final String NAME = "failed over";

    /** More than a client remembers the releases of. */
    private static final int GROUPS = 600;

    private static DistributedReadWriteLock lock(Holdfast client) {
        return client.getReadWriteLock(NAME);
    }

    private static void assertWriterIsServed(Holdfast rival) {
        assertThat(get(lock(rival).writeLock().tryAcquireAsync(SOON))).hasValueSatisfying(Lease::close);
    }

    /**
     * The new master has a hold of readers that have left, and lacks the next one of the same client: that takes the other one's
     * place, and no reader is lost.
     */
    @Test
    void nextGroup_takesThePlaceOfTheReleased() {
        try (Shard shard = new Shard(RedisBinary.byDefault())) {
            Lease before = lock(shard.client).readLock().acquire();
            shard.cutReplication();
            before.close();
            Lease one = lock(shard.client).readLock().acquire();
            Lease other = lock(shard.client).readLock().acquire();

            shard.promoteReplica();
            shard.awaitClients();

            assertThat(get(lock(shard.rival).writeLock().tryAcquireAsync(Duration.ZERO)))
                    .isEmpty();
            one.extend(Shard.LEASE);
            other.extend(Shard.LEASE);
            one.close();
            other.close();
            assertWriterIsServed(shard.rival);
        }
    }

    /**
     * The same after so many groups that not all of them are named to the new master: the one that it still has is among the latest.
     */
    @Test
    void nextGroup_takesThePlaceOfTheReleased_afterManyGroups() {
        try (Shard shard = new Shard(RedisBinary.byDefault())) {
            for (int i = 0; i < GROUPS; i++) {
                lock(shard.client).readLock().acquire().close();
            }
            Lease before = lock(shard.client).readLock().acquire();
            shard.cutReplication();
            before.close();
            Lease reading = lock(shard.client).readLock().acquire();

            shard.promoteReplica();
            shard.awaitClients();

            assertThat(get(lock(shard.rival).writeLock().tryAcquireAsync(Duration.ZERO)))
                    .isEmpty();
            reading.extend(Shard.LEASE);
            reading.close();
            assertWriterIsServed(shard.rival);
        }
    }

    /** Readers whose hold the new master lacks are lost, each of them. */
    @Test
    void group_isLost() {
        try (Shard shard = new Shard(RedisBinary.byDefault())) {
            shard.cutReplication();
            Lease one = lock(shard.client).readLock().acquire();
            Lease other = lock(shard.client).readLock().acquire();

            shard.promoteReplica();

            assertThat(get(one.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.FAILOVER);
            assertThat(get(other.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.FAILOVER);
            assertWriterIsServed(shard.rival);
        }
    }

    /** The new master has the write hold that was downgraded: it is released there, and the reader is lost. */
    @Test
    void downgrade_isLost() {
        try (Shard shard = new Shard(RedisBinary.byDefault())) {
            Lease writing = lock(shard.client).writeLock().acquire();
            shard.cutReplication();
            Lease reading = lock(shard.client).downgrade(writing);

            shard.promoteReplica();

            assertThat(get(reading.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.FAILOVER);
            assertWriterIsServed(shard.rival);
        }
    }

    /** Under sentinels likewise: the next hold of the client's readers takes the place of the released one. */
    @Test
    void sentinels_nextGroup_takesThePlaceOfTheReleased() {
        try (RedisSentinels sentinels =
                        RedisSentinels.builder().binary(RedisBinary.byDefault()).start();
                Holdfast client = Holdfast.connect(sentinels.uri());
                Holdfast rival = Holdfast.connect(sentinels.uri())) {
            Lease before = lock(client).readLock().acquire();
            DataNode old = sentinels.master();
            sentinels.replicas().forEach(sentinels::awaitInSync);
            sentinels.replicas().forEach(DataNode::cutReplication);
            before.close();
            Lease reading = lock(client).readLock().acquire();

            old.server().kill();
            sentinels.awaitMasterOtherThan(old);

            reading.extend(Duration.ofMinutes(1));
            eventually(rival::isConnected);
            assertThat(get(lock(rival).writeLock().tryAcquireAsync(Duration.ZERO)))
                    .isEmpty();
            reading.close();
            assertWriterIsServed(rival);
        }
    }

    /** With replicated locks, readers have the lock when a replica has their hold; one that joins them needs no command. */
    @Test
    void replicated_waitsForReplicas() {
        try (Shard shard = new Shard(RedisBinary.byDefault());
                Holdfast safe = Holdfast.builder()
                        .redisUri(shard.master.uri())
                        .replicated(1, Duration.ofSeconds(1))
                        .build()) {
            shard.cluster.awaitInSync(shard.replica);
            long before = CommandStats.waits(shard.master.server());
            Lease one = lock(safe).readLock().acquire();
            assertThat(shard.replica.server().keys()).contains(NAME);
            assertThat(CommandStats.waits(shard.master.server())).isEqualTo(before + 1);
            Lease other = lock(safe).readLock().acquire();
            assertThat(CommandStats.waits(shard.master.server())).isEqualTo(before + 1);
            one.close();
            other.close();

            shard.replica.cutReplication();
            assertThatThrownBy(() -> get(lock(safe).readLock().acquireAsync()))
                    .isInstanceOf(LockException.class)
                    .hasMessageContainingAll(NAME, "0 of 1 replicas", "given back");
            assertWriterIsServed(shard.rival);
        }
    }
}

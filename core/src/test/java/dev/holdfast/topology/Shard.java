package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.holdfast.Holdfast;
import dev.holdfast.LockKinds;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.Failover;
import dev.holdfast.testkit.topology.RedisCluster;
import java.time.Duration;
import java.util.stream.Stream;

/** A cluster of one shard, and two clients of it. */
final class Shard implements AutoCloseable {
    /** Of the clients' locks. Far longer than a test waits for a lock: no lease runs out in time. */
    static final Duration LEASE = Duration.ofSeconds(30);

    final RedisCluster cluster;
    final ClusterNode master;
    final ClusterNode replica;
    final Holdfast client;
    final Holdfast rival;

    Shard(RedisBinary binary) {
        cluster = RedisCluster.builder().binary(binary).masters(1).start();
        master = cluster.masters().get(0);
        replica = cluster.replicasOf(master).get(0);
        client = connect();
        rival = connect();
    }

    /** Before Redis 7.0, a cluster has no sharded channels, and so no line. */
    static void assumeSharded(RedisServer server) {
        assumeFalse(server.version().startsWith("6."), "this server has no sharded channels");
    }

    /** {@return a client of the new master, which has not heard of the old one} */
    Holdfast latecomer() {
        return Holdfast.connect(replica.uri());
    }

    private Holdfast connect() {
        return connect(LEASE);
    }

    /** {@return a further client, whose locks have this lease} */
    Holdfast connect(Duration watchdogTimeout) {
        return Holdfast.builder()
                .redisUri(master.uri() + "," + replica.uri().substring("redis://".length()))
                .watchdogTimeout(watchdogTimeout)
                .build();
    }

    /** The replica has all that was acknowledged so far, and misses all that follows. */
    void cutReplication() {
        cluster.awaitInSync(replica);
        replica.cutReplication();
    }

    /** Kills the master, and has its replica take its place. */
    void promoteReplica() {
        master.server().kill();
        takeOver();
    }

    /** Has the replica take the master's place without a vote. When this returns, all nodes that reply know it. */
    void takeOver() {
        cluster.failover(replica, Failover.TAKEOVER);
    }

    /** The master is to keep its data when it follows the replica: it is not let in there. */
    void keepMastersData() {
        master.server().command("CONFIG", "SET", "masteruser", "nobody");
        master.server().command("CONFIG", "SET", "masterauth", "nobody");
    }

    /** Has the former master, which follows its replica by now, take that one's place without a vote. */
    void takeBack() {
        cluster.awaitReplicaOf(master, replica);
        cluster.failover(master, Failover.TAKEOVER);
    }

    /** Returns when the new master, or an old one that knows of it, has answered the clients. */
    void awaitClients() {
        Stream.of(client, rival).forEach(each -> each.getLock("any").inspect());
    }

    /** Asserts that the new master has no lock, now or soon. */
    void assertNothingHeld() {
        eventually(() ->
                assertThat(LockKinds.withoutTokens(replica.server().keys())).isEmpty());
    }

    @Override
    public void close() {
        client.close();
        rival.close();
        cluster.close();
    }
}

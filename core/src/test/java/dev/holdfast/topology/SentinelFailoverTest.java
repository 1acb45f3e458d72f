package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Crowd;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LossReason;
import dev.holdfast.Visits;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.DataNode;
import dev.holdfast.testkit.topology.RedisSentinels;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Locks whose master is replaced by its sentinels. */
@Tag("topology")
@Tag("driver")
@Tag("slow")
class SentinelFailoverTest {
    private static final int THREADS = 4;
    private static final Pattern EVALSHA = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");
    private static final Pattern ROLE = Pattern.compile("cmdstat_role:calls=(\\d+)");

    @AutoClose
    private final RedisSentinels sentinels =
            RedisSentinels.builder().binary(binary()).start();

    @AutoClose
    private final Holdfast client = connect();

    @AutoClose
    private final Holdfast rival = connect();

    RedisBinary binary() {
        return RedisBinary.embedded();
    }

    private Holdfast connect() {
        return Holdfast.connect(sentinels.uri());
    }

    private static long scriptsRunBy(DataNode node) {
        return calls(EVALSHA, node.server());
    }

    private static long calls(Pattern command, RedisServer server) {
        Matcher found = command.matcher(String.valueOf(server.command("INFO", "commandstats")));
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }

    private static List<String> listenedTo(DataNode node) {
        Object reply = node.server().command("PUBSUB", "CHANNELS", "redisson*");
        return ((List<?>) Objects.requireNonNull(reply))
                .stream().map(String::valueOf).toList();
    }

    private static long listeners(DataNode node, String channel) {
        Object reply = node.server().command("PUBSUB", "NUMSUB", channel);
        return (Long) ((List<?>) Objects.requireNonNull(reply)).get(1);
    }

    /**
     * During a planned failover under load, both clients go to the new master, long before the old one stops accepting
     * writes; nothing is sent to that any more, and an owner whose hold is lost is told so.
     */
    @Test
    void planned_underTraffic() {
        Visits visits = new Visits();
        Crowd crowd = visits.crowd(client.getLock("failed over"), THREADS);
        Crowd rivals = visits.crowd(rival.getLock("failed over"), THREADS);
        eventually(() -> visits.entered() > 100);
        DataNode old = sentinels.master();

        visits.failOverMeanwhile(() -> {
            DataNode master = sentinels.failover();
            eventually(() -> assertThat(listeners(master, "redisson_lock__channel:{failed over}"))
                    .isEqualTo(2));
        });

        eventually(() -> scriptsRunBy(sentinels.master()) > 200);
        assertThat(old.isReplica()).isFalse();
        eventually(() -> assertThat(listenedTo(old)).isEmpty());
        long before = scriptsRunBy(old);
        int entered = visits.entered();
        eventually(() -> visits.entered() > entered + 100);
        assertThat(scriptsRunBy(old)).isEqualTo(before);
        assertThat(old.isReplica()).isFalse();
        crowd.stop();
        rivals.stop();
        visits.assertLossesAreTold();
    }

    /** The new master lacks a grant and a release: the owner of the one is told, and the other is repeated. */
    @Test
    void masterKilled_beforeItReplicated() throws InterruptedException {
        DataNode old = sentinels.master();
        Lease released = client.getLock("released").acquire();
        sentinels.replicas().forEach(sentinels::awaitInSync);
        sentinels.replicas().forEach(DataNode::cutReplication);
        Lease granted = client.getLock("granted").acquire();
        released.close();

        old.server().kill();

        assertThat(get(granted.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.FAILOVER);
        assertThat(rival.getLock("released").tryLock(SOON)).isTrue();
        rival.getLock("released").unlock();
    }

    /** A master that is killed is replaced: its holds go on, and a waiter of another client is woken by the release. */
    @Test
    void masterKilled_whileHeldAndWaitedFor() {
        String name = "held while killed";
        DataNode old = sentinels.master();
        Lease lease = client.getLock(name).acquire();
        CompletableFuture<Lease> waiting = rival.getLock(name).acquireAsync();
        eventually(() -> rival.stats().waiters() == 1);
        sentinels.replicas().forEach(sentinels::awaitInSync);

        old.server().kill();
        DataNode master = sentinels.awaitMasterOtherThan(old);

        eventually(() -> listenedTo(master).contains("redisson_lock__channel:{" + name + "}"));
        eventually(() -> client.isConnected() && rival.isConnected());
        assertThat(client.stats().reconnects()).isPositive();
        assertThat(lease.isValid()).isTrue();
        assertThat(waiting).isNotDone();
        lease.close();
        get(waiting).close();
        assertThat(master.server().keys()).isEmpty();
    }

    /** A sentinel that was cut off answers with the old address: most sentinels know better. */
    @Test
    void oneSentinel_answersTheOldAddress() {
        DataNode old = sentinels.master();
        old.server().kill();
        DataNode master = sentinels.awaitMasterOtherThan(old);
        RedisServer stale = sentinels.sentinels().get(0);
        // The others tell it every two seconds which one is the master, perhaps just then.
        eventually(() -> {
            forgetsTheFailover(stale, old);
            return sentinels.masterSeenBy(stale).equals(old);
        });

        try (Holdfast late = Holdfast.connect(sentinels.uri());
                Lease lease = late.getLock("by the majority").acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(master.server().keys()).contains("by the majority");
        }
        client.getLock("by the majority").acquire().close();
    }

    private static void forgetsTheFailover(RedisServer sentinel, DataNode old) {
        sentinel.command("SENTINEL", "REMOVE", RedisSentinels.MASTER_NAME);
        sentinel.command(
                "SENTINEL",
                "MONITOR",
                RedisSentinels.MASTER_NAME,
                old.server().host(),
                Integer.toString(old.announcedPort()),
                "3");
    }

    /** A server that the sentinels name and that never becomes a master is left as soon as they name another one. */
    @Test
    void master_isNeverUp() {
        client.getLock("used before").acquire().close();
        try (RedisServer replica = RedisServer.start();
                RedisServer fresh = RedisServer.start()) {
            replica.command("REPLICAOF", "127.0.0.1", "1");
            RedisServer old = sentinels.master().server();
            name(replica);
            old.command("CLIENT", "KILL", "TYPE", "normal");
            eventually(() -> assertThat(calls(ROLE, replica)).isPositive());

            name(fresh);

            get(client.getLock("after that").acquireAsync(), SOON).close();
            assertThat(calls(EVALSHA, fresh)).isPositive();
        }
    }

    /** Has all sentinels name this server as the master, of which no failover has made it one. */
    private void name(RedisServer server) {
        for (RedisServer sentinel : sentinels.sentinels()) {
            sentinel.command("SENTINEL", "REMOVE", RedisSentinels.MASTER_NAME);
            sentinel.command(
                    "SENTINEL", "MONITOR", RedisSentinels.MASTER_NAME, "127.0.0.1", String.valueOf(server.port()), "2");
        }
    }
}

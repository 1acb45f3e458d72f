package dev.holdfast.testkit.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The sentinels replace the master, on request or because it has failed. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
final class SentinelsFailoverTest {
    private static final String KEY = "key";

    static Stream<RedisBinary> binaries() {
        return Topologies.binaries();
    }

    /** A killed master is replaced, and every sentinel publishes it. */
    @ParameterizedTest
    @MethodSource("binaries")
    void kill_switchMaster(RedisBinary binary) {
        try (RedisSentinels sentinels = RedisSentinels.builder().binary(binary).start();
                SentinelSubscription subscription =
                        sentinels.subscribe(sentinels.sentinels().get(2))) {
            DataNode old = sentinels.master();
            old.server().command("SET", KEY, "kept");
            sentinels.replicas().forEach(sentinels::awaitInSync);
            old.server().kill();
            DataNode master = sentinels.awaitMasterOtherThan(old);
            assertThat(subscription.next())
                    .isEqualTo(
                            new SwitchMaster(RedisSentinels.MASTER_NAME, old.announcedPort(), master.announcedPort()));
            assertThat(master.server().command("GET", KEY)).isEqualTo("kept");
            assertThat(master.isReplica()).isFalse();
        }
    }

    /**
     * A master that comes back after its replacement becomes a replica with the data of the new one. Until then, sentinels
     * could make it the master again, though it is empty, if the new one were silent for a moment.
     */
    @Test
    void restart_becomesReplica() {
        try (RedisSentinels sentinels = RedisSentinels.builder().replicas(1).start()) {
            DataNode old = sentinels.master();
            assumeFalse(
                    old.server().version().startsWith("6."), "the sentinels of Redis 6 take half a minute for this");
            for (RedisServer sentinel : sentinels.sentinels()) {
                sentinel.command("SENTINEL", "DEBUG", "INFO-PERIOD", "1000", "PUBLISH-PERIOD", "250");
            }
            old.server().kill();
            DataNode master = sentinels.awaitMasterOtherThan(old);
            sentinels.downAfter(Duration.ofMinutes(1));
            master.server().command("SET", KEY, "value");
            old.server().restart();
            sentinels.awaitInSync(old);
            sentinels.awaitOk();
            assertThat(old.server().command("GET", KEY)).isEqualTo("value");
        }
    }

    /** On request, a replica becomes master; the old master does not know it yet, and loses what it accepts. */
    @ParameterizedTest
    @MethodSource("binaries")
    void failover_oldMasterStillAccepts(RedisBinary binary) {
        try (RedisSentinels sentinels =
                RedisSentinels.builder().binary(binary).replicas(1).start()) {
            DataNode old = sentinels.master();
            DataNode master = sentinels.failover();
            assertThat(sentinels.master()).isEqualTo(master);
            assertThat(sentinels.replicas()).containsExactly(old);
            assertThat(old.server().command("SET", KEY, "lost")).isEqualTo("OK");
            assertThat(master.server().command("SET", KEY, "kept")).isEqualTo("OK");
        }
    }

    /** A paused master is replaced, although one sentinel is paused as well, and both learn it when they are resumed. */
    @ParameterizedTest
    @MethodSource("binaries")
    void pause_masterAndSentinel(RedisBinary binary) {
        try (RedisSentinels sentinels = RedisSentinels.builder()
                .binary(binary)
                .password("secret")
                .sentinelPassword("other")
                .start()) {
            DataNode old = sentinels.master();
            RedisServer sentinel = sentinels.sentinels().get(0);
            sentinel.pause();
            old.server().pause();
            DataNode master = sentinels.awaitMasterOtherThan(old);
            old.server().resume();
            assertThat(old.isReplica()).isFalse();
            sentinel.resume();
            sentinels.awaitMasterOtherThan(old);
            assertThat(sentinels.masterSeenBy(sentinel)).isEqualTo(master);
            sentinels.sentinels().forEach(RedisServer::pause);
            assertThatThrownBy(sentinels::master).hasMessageContaining("must agree");
        }
    }

    /** What a replica without its link has not got is lost when it becomes master; a restored link delivers it. */
    @ParameterizedTest
    @MethodSource("binaries")
    void cutReplication_kill(RedisBinary binary) {
        try (RedisSentinels sentinels = RedisSentinels.builder()
                .binary(binary)
                .password("secret")
                .replicas(1)
                .start()) {
            DataNode old = sentinels.master();
            DataNode replica = sentinels.replicas().get(0);
            replica.cutReplication();
            old.server().command("SET", KEY, "late");
            assertThat(replica.server().command("GET", KEY)).isNull();
            replica.restoreReplication();
            sentinels.awaitInSync(replica);
            assertThat(replica.server().command("GET", KEY)).isEqualTo("late");
            replica.cutReplication();
            old.server().command("SET", KEY, "lost");
            old.server().kill();
            assertThat(sentinels.awaitMasterOtherThan(old)).isEqualTo(replica);
            assertThat(replica.server().command("GET", KEY)).isEqualTo("late");
        }
    }

    /** Sentinels name the proxies to clients, and fail over through them. */
    @ParameterizedTest
    @MethodSource("binaries")
    void proxied_failover(RedisBinary binary) {
        try (RedisSentinels sentinels = RedisSentinels.builder()
                        .binary(binary)
                        .proxied()
                        .replicas(1)
                        .start();
                SentinelSubscription subscription =
                        sentinels.subscribe(sentinels.sentinels().get(0))) {
            DataNode old = sentinels.master();
            old.proxy().blackHole();
            DataNode master = sentinels.awaitMasterOtherThan(old);
            assertThat(subscription.next())
                    .isEqualTo(new SwitchMaster(
                            RedisSentinels.MASTER_NAME,
                            old.proxy().port(),
                            master.proxy().port()));
            assertThat(RedisServer.at(master.uri()).command("SET", KEY, "value"))
                    .isEqualTo("OK");
            assertThat(old.server().command("SET", KEY, "lost")).isEqualTo("OK");
        }
    }
}

package dev.holdfast.testkit.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.testkit.RedisServer;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A master with replicas and sentinels, as they are after their start. */
@ParameterizedClass
@MethodSource("started")
final class RedisSentinelsTest {
    private final RedisSentinels sentinels;

    RedisSentinelsTest(RedisSentinels sentinels) {
        this.sentinels = sentinels;
    }

    static Stream<RedisSentinels> started() {
        return Topologies.sentinels(
                builder -> builder.password("secret").sentinelPassword("other").config("maxclients", "77"));
    }

    /** There are 2 replicas that have the master's data, and 3 sentinels that know them and each other. */
    @Test
    void start_inSync() {
        DataNode master = sentinels.master();
        assertThat(sentinels.servers()).hasSize(3).contains(master);
        assertThat(sentinels.replicas()).hasSize(2).doesNotContain(master);
        assertThat(master.server().command("SET", "key", "value")).isEqualTo("OK");
        for (DataNode replica : sentinels.replicas()) {
            sentinels.awaitInSync(replica);
            assertThat(replica.server().command("GET", "key")).isEqualTo("value");
        }
        assertThat(sentinels.sentinels()).hasSize(3);
        for (RedisServer sentinel : sentinels.sentinels()) {
            assertThat(sentinel.command("ROLE")).asString().startsWith("[sentinel, ");
            assertThat(sentinels.masterSeenBy(sentinel)).isEqualTo(master);
            assertThat(sentinel.info("master0")).contains("status=ok", "slaves=2", "sentinels=3");
        }
    }

    /** A restarted replica follows the master again by itself. */
    @Test
    void restart_replica() {
        DataNode replica = sentinels.replicas().get(0);
        replica.server().restart();
        assertThat(replica.isReplica()).isTrue();
        sentinels.awaitInSync(replica);
    }

    /** The sentinels have a password of their own, and their quorum and limits are those of the configuration. */
    @Test
    void start_settings() {
        RedisServer sentinel = sentinels.sentinels().get(0);
        assertThat(sentinel.uri()).isEqualTo("redis://:other@127.0.0.1:" + sentinel.port());
        assertThat(sentinels.master().uri())
                .isEqualTo("redis://:secret@127.0.0.1:"
                        + sentinels.master().server().port());
        assertThatThrownBy(() -> RedisServer.at("redis://127.0.0.1:" + sentinel.port()))
                .hasMessageStartingWith("NOAUTH");
        assertThatThrownBy(() -> RedisServer.at("redis://:secret@127.0.0.1:" + sentinel.port()))
                .hasMessageStartingWith("WRONGPASS");
        List<?> fields =
                (List<?>) Objects.requireNonNull(sentinel.command("SENTINEL", "MASTER", RedisSentinels.MASTER_NAME));
        assertThat(fields.get(fields.indexOf("quorum") + 1)).isEqualTo("2");
        assertThat(fields.get(fields.indexOf("down-after-milliseconds") + 1)).isEqualTo("1000");
        assertThat(sentinels.master().server().command("CONFIG", "GET", "maxclients"))
                .isEqualTo(List.of("maxclients", "77"));
    }

    /** One URI names all sentinels, the master's name, and the password of the servers. */
    @Test
    void uri_ofAll() {
        String addresses = sentinels.sentinels().stream()
                .map(sentinel -> "127.0.0.1:" + sentinel.port())
                .collect(Collectors.joining(","));
        assertThat(sentinels.uri())
                .isEqualTo("redis-sentinel://:secret@" + addresses + "/0#" + RedisSentinels.MASTER_NAME);
    }

    /** Closing leaves no process, and may be repeated. */
    @Test
    void close_leavesNothing() {
        RedisSentinels small =
                RedisSentinels.builder().replicas(0).sentinels(1).quorum(1).start();
        RedisServer master = small.master().server();
        RedisServer sentinel = small.sentinels().get(0);
        assertThat(small.uri()).startsWith("redis-sentinel://127.0.0.1:" + sentinel.port());
        sentinel.pause();
        small.close();
        small.close();
        assertThat(List.of(master, sentinel)).noneMatch(RedisServer::isRunning);
    }
}

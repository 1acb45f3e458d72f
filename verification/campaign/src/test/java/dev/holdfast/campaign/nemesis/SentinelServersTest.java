package dev.holdfast.campaign.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.DataNode;
import dev.holdfast.testkit.topology.RedisSentinels;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The faults of a master under sentinels leave another one, and all servers running. That all sentinels know this again
 * takes them twenty seconds, which the campaign waits for, and not this test.
 */
@Tag("slow")
final class SentinelServersTest {
    private static final String LOCK = "stock";

    @AutoClose
    private final RedisSentinels sentinels = RedisSentinels.start();

    private final SentinelServers servers = new SentinelServers(sentinels);
    private final DataNode master = sentinels.master();

    @Test
    void replaced() {
        Affliction replacement = servers.replaced(LOCK);
        replacement.begin().run();
        replacement.end().run();
        assertThat(sentinels.master()).isNotSameAs(master);
    }

    @Test
    void killed() {
        Affliction kill = servers.killed(LOCK);
        kill.begin().run();
        assertThat(master.server().isRunning()).isFalse();
        kill.end().run();
        assertThat(sentinels.master()).isNotSameAs(master);
    }

    @Test
    void paused() {
        Affliction pause = servers.paused(LOCK);
        pause.begin().run();
        assertThat(master.server().isPaused()).isTrue();
        pause.end().run();
        assertThat(sentinels.master()).isNotSameAs(master);
    }

    /** What is written while the replicas are cut off is missing when the master was killed. */
    @Test
    void cutOff_thenKilled() {
        Affliction cut = servers.cutOff(LOCK);
        cut.begin().run();
        master.server().command("SET", LOCK, "lost");
        Affliction kill = servers.killed(LOCK);
        kill.begin().run();
        cut.end().run();
        kill.end().run();
        assertThat(sentinels.master().server().keys()).isEmpty();
    }

    /** One sentinel is stopped, or all are; afterwards they run. */
    @Test
    void sentinels_paused() {
        for (Affliction pause : List.of(servers.paused(3), servers.paused())) {
            pause.begin().run();
            assertThat(sentinels.sentinels()).anyMatch(RedisServer::isPaused);
            pause.end().run();
            assertThat(sentinels.sentinels()).noneMatch(RedisServer::isPaused);
        }
    }

    /** Servers that were killed or stopped when a round is given up run again. */
    @Test
    void heal() {
        servers.killed(LOCK).begin().run();
        servers.paused().begin().run();
        servers.heal();
        assertThat(master.server().isRunning()).isTrue();
        assertThat(sentinels.sentinels()).noneMatch(RedisServer::isPaused);
    }
}

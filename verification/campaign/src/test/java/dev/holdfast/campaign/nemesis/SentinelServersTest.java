package dev.holdfast.campaign.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.topology.DataNode;
import dev.holdfast.testkit.topology.RedisSentinels;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The faults of a master under sentinels leave another one, and all servers running. */
final class SentinelServersTest {
    private static final String LOCK = "stock";

    @AutoClose
    private final RedisSentinels sentinels = RedisSentinels.start();

    private final SentinelServers servers = new SentinelServers(sentinels);
    private final DataNode master = sentinels.master();

    @Test
    void replaced() {
        run(servers.replaced(LOCK));
        assertThat(sentinels.master()).isNotSameAs(master);
    }

    /** The old master runs again, and follows the new one. */
    @Test
    void killed() {
        Affliction kill = servers.killed(LOCK);
        kill.begin().run();
        assertThat(master.server().isRunning()).isFalse();
        kill.end().run();
        assertThat(sentinels.replicas()).contains(master);
        assertThat(master.server().isRunning()).isTrue();
    }

    /** A server that was killed when a round is given up runs again. */
    @Test
    void heal() {
        servers.killed(LOCK).begin().run();
        servers.heal();
        assertThat(master.server().isRunning()).isTrue();
    }

    private static void run(Affliction affliction) {
        affliction.begin().run();
        affliction.end().run();
    }
}

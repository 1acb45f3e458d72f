package dev.holdfast.campaign.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.topology.DataNode;
import dev.holdfast.testkit.topology.RedisSentinels;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * The faults of a master under sentinels leave another one, and all servers running. That all sentinels know this again
 * takes them twenty seconds, which the campaign waits for, and not this test.
 */
final class SentinelServersTest {
    private static final String LOCK = "stock";

    @AutoClose
    private final RedisSentinels sentinels = RedisSentinels.start();

    private final SentinelServers servers = new SentinelServers(sentinels);
    private final DataNode master = sentinels.master();

    @Test
    void replaced() {
        servers.replaced(LOCK).begin().run();
        assertThat(sentinels.master()).isNotSameAs(master);
    }

    @Test
    void killed() {
        servers.killed(LOCK).begin().run();
        assertThat(master.server().isRunning()).isFalse();
        assertThat(sentinels.awaitMasterOtherThan(master)).isNotSameAs(master);
    }

    /** A server that was killed when a round is given up runs again. */
    @Test
    void heal() {
        servers.killed(LOCK).begin().run();
        servers.heal();
        assertThat(master.server().isRunning()).isTrue();
    }
}

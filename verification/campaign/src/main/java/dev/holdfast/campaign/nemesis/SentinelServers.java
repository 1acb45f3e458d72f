package dev.holdfast.campaign.nemesis;

import dev.holdfast.testkit.topology.DataNode;
import dev.holdfast.testkit.topology.RedisSentinels;

/**
 * A master with replicas under sentinels.
 *
 * @param sentinels that the clients ask, without proxies
 */
public record SentinelServers(RedisSentinels sentinels) implements Masters {
    @Override
    public void heal() {
        for (DataNode node : sentinels.servers()) {
            if (!node.server().isRunning()) {
                node.server().restart();
            }
        }
    }

    /** The old master is not told for some seconds, and accepts writes until then, which are lost. */
    @Override
    public Affliction replaced(String lock) {
        return new Affliction(sentinels::failover, sentinels::awaitOk);
    }

    @Override
    public Affliction killed(String lock) {
        DataNode master = sentinels.master();
        return new Affliction(() -> master.server().kill(), () -> {
            sentinels.awaitMasterOtherThan(master);
            master.server().restart();
            sentinels.awaitOk();
        });
    }
}

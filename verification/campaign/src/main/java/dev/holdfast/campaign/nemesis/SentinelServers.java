package dev.holdfast.campaign.nemesis;

import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.DataNode;
import dev.holdfast.testkit.topology.RedisSentinels;
import java.util.List;

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
            } else if (node.server().isPaused()) {
                node.server().resume();
            }
        }
        sentinels.sentinels().stream().filter(RedisServer::isPaused).forEach(RedisServer::resume);
    }

    /** The sentinels reconfigure the old master only after some seconds; it accepts writes until then, which are lost. */
    @Override
    public Affliction replaced(String lock) {
        DataNode master = sentinels.master();
        return new Affliction(
                sentinels::requestFailover, () -> sentinels.awaitMasterOtherThan(master), sentinels::awaitOk);
    }

    @Override
    public Affliction killed(String lock) {
        DataNode master = sentinels.master();
        return new Affliction(() -> master.server().kill(), () -> sentinels.awaitMasterOtherThan(master), () -> {
            master.server().restart();
            sentinels.awaitOk();
        });
    }

    @Override
    public Affliction paused(String lock) {
        DataNode master = sentinels.master();
        return new Affliction(() -> master.server().pause(), () -> sentinels.awaitMasterOtherThan(master), () -> {
            Masters.stayStopped();
            master.server().resume();
            sentinels.awaitOk();
        });
    }

    @Override
    public Affliction cutOff(String lock) {
        List<DataNode> replicas = sentinels.replicas();
        return new Affliction(
                () -> replicas.forEach(DataNode::cutReplication), () -> replicas.forEach(DataNode::restoreReplication));
    }

    /** One sentinel is stopped; the others are a majority. */
    Affliction paused(int index) {
        List<RedisServer> all = sentinels.sentinels();
        return paused(List.of(all.get(index % all.size())));
    }

    /** All sentinels are stopped. */
    Affliction paused() {
        return paused(sentinels.sentinels());
    }

    private static Affliction paused(List<RedisServer> some) {
        return new Affliction(() -> some.forEach(RedisServer::pause), () -> some.forEach(RedisServer::resume));
    }
}

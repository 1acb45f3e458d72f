package dev.holdfast.benchmarks.workload;

import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.DataNode;
import dev.holdfast.testkit.topology.RedisSentinels;
import java.time.Duration;
import java.util.List;

/** A master with 2 replicas, under 3 sentinels. */
record SentinelDeployment(RedisSentinels sentinels) implements Deployment {
    static final Duration DOWN_AFTER = Duration.ofSeconds(1);
    static final String DESCRIPTION = "a master with 2 replicas, under 3 sentinels";

    static SentinelDeployment start() {
        return new SentinelDeployment(
                RedisSentinels.builder().downAfter(DOWN_AFTER).start());
    }

    @Override
    public String uri() {
        return sentinels.uri();
    }

    @Override
    public List<RedisServer> servers() {
        return sentinels.servers().stream().map(DataNode::server).toList();
    }

    @Override
    public void failOver(String lock, Failover.Cause cause) {
        switch (cause) {
            case KILL -> sentinels.master().server().kill();
            case REQUEST -> sentinels.requestFailover();
        }
    }

    @Override
    public void close() {
        sentinels.close();
    }
}

package dev.holdfast.examples.shop;

import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.DataNode;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.RedisSentinels;
import java.time.Duration;

/** The Redis servers on which the lock is, in a topology that has replicas. The shop's data are on another server. */
interface LockRedis extends AutoCloseable {
    /** {@return the URI for the clients of the lock} */
    String uri();

    /** {@return what it consists of} */
    String description();

    /** Kills the master of the lock with SIGKILL: what it has not replicated is lost. */
    void killMaster();

    @Override
    void close();

    static LockRedis start(Topology topology) {
        return switch (topology) {
            case CLUSTER -> cluster();
            case SENTINEL -> sentinels();
            case STANDALONE -> throw new IllegalArgumentException("a standalone server has no replica");
        };
    }

    private static LockRedis cluster() {
        RedisCluster cluster = RedisCluster.start();
        return new LockRedis() {
            @Override
            public String uri() {
                return cluster.nodes().get(0).uri();
            }

            @Override
            public String description() {
                return "a cluster of " + cluster.masters().size() + " masters with a replica each";
            }

            @Override
            public void killMaster() {
                ClusterNode master = cluster.masterOf(Plan.LOCK);
                master.server().kill();
            }

            @Override
            public void close() {
                cluster.close();
            }
        };
    }

    private static LockRedis sentinels() {
        RedisSentinels sentinels =
                RedisSentinels.builder().downAfter(Duration.ofMillis(500)).start();
        return new LockRedis() {
            @Override
            public String uri() {
                return sentinels.uri();
            }

            @Override
            public String description() {
                return "a master with " + sentinels.replicas().size() + " replicas, watched by "
                        + sentinels.sentinels().size() + " sentinels";
            }

            @Override
            public void killMaster() {
                DataNode master = sentinels.master();
                master.server().kill();
            }

            @Override
            public void close() {
                sentinels.close();
            }
        };
    }
}

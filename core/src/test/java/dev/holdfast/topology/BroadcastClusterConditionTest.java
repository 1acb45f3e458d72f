package dev.holdfast.topology;

import dev.holdfast.testkit.RedisBinary;

/** The same on Redis 6.2, whose clusters have no sharded channels: nobody counts all subscribers of one. */
final class BroadcastClusterConditionTest extends ClusterConditionTest {
    @Override
    RedisBinary binary() {
        return RedisBinary.embedded();
    }
}

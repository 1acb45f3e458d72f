package dev.holdfast.topology;

import dev.holdfast.testkit.RedisBinary;

/** The same on Redis 6.2, whose clusters have no sharded channels. */
final class BroadcastClusterLatchTest extends ClusterLatchTest {
    @Override
    RedisBinary binary() {
        return RedisBinary.embedded();
    }
}

/**
 * Several real servers that work together: a {@link dev.holdfast.testkit.topology.RedisCluster}, and a master with
 * replicas under {@link dev.holdfast.testkit.topology.RedisSentinels}. A test replaces masters, moves slots, and
 * breaks processes, replication and connections; every operation waits for the state that it leads to, or says that it
 * does not.
 */
@NullMarked
package dev.holdfast.testkit.topology;

import org.jspecify.annotations.NullMarked;

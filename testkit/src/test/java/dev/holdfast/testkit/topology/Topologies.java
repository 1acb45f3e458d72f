package dev.holdfast.testkit.topology;

import dev.holdfast.testkit.RedisBinary;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Topologies of each executable this machine has, started one after the other; the test that gets one closes it. */
final class Topologies {
    private Topologies() {}

    static Stream<RedisBinary> binaries() {
        return Stream.concat(Stream.of(RedisBinary.embedded()), RedisBinary.onPath().stream())
                .distinct();
    }

    static Stream<RedisCluster> clusters() {
        return clusters(builder -> builder);
    }

    static Stream<RedisCluster> clusters(UnaryOperator<RedisClusterBuilder> settings) {
        return binaries().map(binary -> settings.apply(RedisCluster.builder().binary(binary))
                .start());
    }

    static Stream<RedisSentinels> sentinels(UnaryOperator<RedisSentinelsBuilder> settings) {
        return binaries().map(binary -> settings.apply(RedisSentinels.builder().binary(binary))
                .start());
    }
}

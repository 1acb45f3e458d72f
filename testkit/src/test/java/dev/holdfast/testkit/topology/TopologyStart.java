package dev.holdfast.testkit.topology;

import dev.holdfast.testkit.RedisServer;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** The main class of a JVM that starts both topologies, prints the process ids of all servers, and waits. */
final class TopologyStart {
    private TopologyStart() {}

    public static void main(String[] arguments) throws IOException {
        RedisCluster cluster = RedisCluster.builder().proxied().start();
        RedisSentinels sentinels = RedisSentinels.start();
        List<Stream<RedisServer>> servers = List.of(
                cluster.nodes().stream().map(DataNode::server),
                sentinels.servers().stream().map(DataNode::server),
                sentinels.sentinels().stream());
        servers.stream().flatMap(some -> some).forEach(server -> System.out.println(server.pid()));
        System.out.println();
        int end = System.in.read();
        System.exit(end);
    }
}

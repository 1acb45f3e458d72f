package dev.holdfast.topology;

import dev.holdfast.Holdfast;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.RedisCluster;
import java.util.List;
import java.util.stream.Stream;

/** A cluster, a client that holds what has a name, and others that wait for it. */
class ClusterClients implements AutoCloseable {
    final RedisCluster cluster;
    final Holdfast holder;
    final List<Holdfast> clients;
    private final String name;

    ClusterClients(RedisBinary binary, int masters, int waiting, String name) {
        this.cluster = RedisCluster.builder().binary(binary).masters(masters).start();
        this.holder = connect();
        this.clients = Stream.generate(this::connect).limit(waiting).toList();
        this.name = name;
    }

    private Holdfast connect() {
        return Holdfast.connect(String.join(",", cluster.uris()).replaceAll(",redis://", ","));
    }

    final void assumeSharded() {
        Shard.assumeSharded(master().server());
    }

    final ClusterNode master() {
        return cluster.masterOf(name);
    }

    final ClusterNode other() {
        return cluster.masterBeside(master());
    }

    @Override
    public final void close() {
        clients.forEach(Holdfast::close);
        holder.close();
        cluster.close();
    }
}

package dev.holdfast.internal.topology;

import dev.holdfast.Patience;
import dev.holdfast.internal.view.ConnectedClient;
import java.util.List;

/** Treats the masters of a cluster that a client is connected to as if they were idle, whatever is used there. */
public final class IdleMasters {
    private IdleMasters() {}

    /** Replaces them, and leaves the former connections open. */
    public static void replace(ConnectedClient client) {
        former(client);
    }

    /** Replaces them, and closes each former connection once nothing is in flight there. */
    public static void close(ConnectedClient client) {
        for (MasterNode node : former(client)) {
            Patience.await().until(() -> !node.isNeeded());
            node.close().toCompletableFuture().join();
        }
    }

    private static List<MasterNode> former(ConnectedClient client) {
        Cluster cluster = (Cluster) client.client().topology();
        List<MasterNode> connected = cluster.nodes().stream()
                .filter(node -> cluster.isMaster(node) && node.isConnected())
                .toList();
        connected.forEach(cluster::replace);
        return connected;
    }
}

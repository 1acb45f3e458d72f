package dev.holdfast.peers;

import dev.holdfast.Holdfast;
import dev.holdfast.testkit.RedisServer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;

/** The clients of Holdfast for those of Curator, on a Redis of the test, which goes with its ZooKeeper. */
public final class CuratorClients {
    /** By the address of ZooKeeper. */
    private static final Map<String, String> uris = new ConcurrentHashMap<>();

    private static final Map<CuratorFramework, Holdfast> clients = new ConcurrentHashMap<>();

    private CuratorClients() {}

    /** {@return the client for this one, which is opened at the first call} */
    public static Holdfast of(CuratorFramework framework) {
        return clients.computeIfAbsent(framework, one -> Holdfast.connect(uris.getOrDefault(addressOf(one), "")));
    }

    private static String addressOf(CuratorFramework framework) {
        return framework.getZookeeperClient().getCurrentConnectionString();
    }

    static void on(TestingServer zooKeeper, RedisServer redis) {
        uris.put(zooKeeper.getConnectString(), redis.uri());
    }

    static void close(TestingServer zooKeeper) {
        clients.entrySet().removeIf(entry -> {
            boolean ofTest = addressOf(entry.getKey()).equals(zooKeeper.getConnectString());
            if (ofTest) {
                entry.getValue().close();
            }
            return ofTest;
        });
    }
}

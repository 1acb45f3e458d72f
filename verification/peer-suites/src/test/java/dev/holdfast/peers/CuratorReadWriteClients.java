package dev.holdfast.peers;

import dev.holdfast.Holdfast;
import dev.holdfast.testkit.RedisServer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.CuratorFramework;

/** The clients of Holdfast for those of Curator, on a Redis of the test. Tests run one after the other. */
public final class CuratorReadWriteClients {
    private static final Map<CuratorFramework, Holdfast> clients = new ConcurrentHashMap<>();
    private static volatile String uri = "";

    private CuratorReadWriteClients() {}

    /** {@return the client for this one, which is opened at the first call} */
    public static Holdfast of(CuratorFramework framework) {
        return clients.computeIfAbsent(framework, one -> Holdfast.connect(uri));
    }

    static void on(RedisServer redis) {
        uri = redis.uri();
    }

    static void close() {
        clients.values().forEach(Holdfast::close);
        clients.clear();
    }
}

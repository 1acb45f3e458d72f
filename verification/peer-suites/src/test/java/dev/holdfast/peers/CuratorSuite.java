package dev.holdfast.peers;

import dev.holdfast.Holdfast;
import dev.holdfast.testkit.RedisServer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessLock;
import org.apache.curator.framework.recipes.locks.TestInterProcessMutexBase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** Curator's tests of its re-entrant lock. Each of their clients gets a client of Holdfast, on a Redis of the test. */
@Tag("slow")
@ExtendWith(SkippedInCurator.class)
abstract class CuratorSuite extends TestInterProcessMutexBase {
    private final RedisServer redis = RedisServer.start();
    private final Map<CuratorFramework, Holdfast> clients = new ConcurrentHashMap<>();

    @Override
    protected final InterProcessLock makeLock(CuratorFramework framework) {
        return makeLock(clients.computeIfAbsent(framework, one -> Holdfast.connect(redis.uri())));
    }

    /** {@return the lock that all clients of the test compete for} */
    abstract CuratorMutex makeLock(Holdfast client);

    @AfterEach
    void closeClients() {
        clients.values().forEach(Holdfast::close);
        redis.close();
    }
}

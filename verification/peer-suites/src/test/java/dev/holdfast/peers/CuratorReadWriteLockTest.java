package dev.holdfast.peers;

import dev.holdfast.testkit.RedisServer;
import org.apache.curator.framework.recipes.locks.TestInterProcessReadWriteLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** The read-write lock passes Curator's tests of its own. */
@Tag("slow")
@ExtendWith(SkippedInCurator.class)
final class CuratorReadWriteLockTest extends TestInterProcessReadWriteLock {
    private final RedisServer redis = RedisServer.start();

    @BeforeEach
    void useRedis() {
        CuratorClients.on(server, redis);
    }

    @AfterEach
    void closeClients() {
        CuratorClients.close(server);
        redis.close();
    }
}

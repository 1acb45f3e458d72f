package dev.holdfast.peers;

import dev.holdfast.testkit.RedisServer;
import org.apache.curator.framework.recipes.locks.TestInterProcessSemaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The semaphore passes Curator's tests of its own, which wait for most of the time. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SkippedInCurator.class)
final class CuratorSemaphoreTest extends TestInterProcessSemaphore {
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

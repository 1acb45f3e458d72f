package dev.holdfast.peers;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.cp.CPSubsystem;
import com.hazelcast.cp.internal.RaftGroupId;
import com.hazelcast.cp.internal.RaftOp;
import com.hazelcast.cp.internal.datastructures.semaphore.AbstractSessionAwareSemaphoreBasicTest;
import com.hazelcast.spi.impl.InternalCompletableFuture;
import dev.holdfast.Holdfast;
import dev.holdfast.testkit.RedisServer;
import org.junit.After;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;

/** The semaphore passes Hazelcast's tests of its own. */
@Category(Slow.class)
@RunWith(HazelcastRunner.class)
public final class HazelcastSemaphoreTest extends AbstractSessionAwareSemaphoreBasicTest {
    private final RedisServer redis = RedisServer.start();
    private final Holdfast client = Holdfast.connect(redis.uri());

    @After
    public void closeClient() {
        client.close();
        redis.close();
    }

    @Override
    protected String getProxyName() {
        return "semaphore";
    }

    @Override
    protected HazelcastInstance[] createInstances() {
        CPSubsystem semaphores =
                Stub.of(CPSubsystem.class, "getSemaphore", name -> new HazelcastSemaphore(client, (String) name[0]));
        return new HazelcastInstance[] {Stub.of(HazelcastInstance.class, "getCPSubsystem", none -> semaphores)};
    }

    @Override
    protected HazelcastInstance getProxyInstance() {
        return instances[0];
    }

    @Override
    protected <T> InternalCompletableFuture<T> invokeRaftOp(RaftGroupId group, RaftOp operation) {
        throw new UnsupportedOperationException("Redis has no Raft groups");
    }
}

package dev.holdfast.peers;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.cp.CPSubsystem;
import com.hazelcast.cp.internal.datastructures.lock.AbstractFencedLockBasicTest;
import dev.holdfast.Holdfast;
import dev.holdfast.testkit.RedisServer;
import org.junit.After;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;

/** The fenced lock passes Hazelcast's tests of its own, whose tokens it calls fences. */
@Category(Slow.class)
@RunWith(HazelcastRunner.class)
public final class HazelcastFencedLockTest extends AbstractFencedLockBasicTest {
    private final RedisServer redis = RedisServer.start();
    private final Holdfast client = Holdfast.connect(redis.uri());

    @After
    public void closeClient() {
        client.close();
        redis.close();
    }

    @Override
    protected String getProxyName() {
        return "lock";
    }

    @Override
    protected HazelcastInstance[] createInstances() {
        CPSubsystem locks = Stub.of(
                CPSubsystem.class, "getLock", name -> new HazelcastFencedLock(client.getFencedLock((String) name[0])));
        return new HazelcastInstance[] {Stub.of(HazelcastInstance.class, "getCPSubsystem", none -> locks)};
    }

    @Override
    protected HazelcastInstance getPrimaryInstance() {
        return instances[0];
    }
}

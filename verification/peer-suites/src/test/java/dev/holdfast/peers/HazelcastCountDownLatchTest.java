package dev.holdfast.peers;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.cp.ICountDownLatch;
import com.hazelcast.cp.internal.datastructures.countdownlatch.AbstractCountDownLatchBasicTest;
import dev.holdfast.Holdfast;
import dev.holdfast.testkit.RedisServer;
import org.junit.After;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;

/** The count-down latch passes Hazelcast's tests of its own. */
@Category(Slow.class)
@RunWith(HazelcastRunner.class)
public final class HazelcastCountDownLatchTest extends AbstractCountDownLatchBasicTest {
    private final RedisServer redis = RedisServer.start();
    private final Holdfast client = Holdfast.connect(redis.uri());

    @After
    public void closeClient() {
        client.close();
        redis.close();
    }

    @Override
    protected String getName() {
        return "latch";
    }

    @Override
    protected ICountDownLatch createLatch(String name) {
        return new HazelcastCountDownLatch(client.getCountDownLatch(name));
    }

    /** The tests that run ask for nothing but the latch. */
    @Override
    protected HazelcastInstance[] createInstances() {
        return new HazelcastInstance[0];
    }
}

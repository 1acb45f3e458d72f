package dev.holdfast.peers;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.cp.CPSubsystem;
import com.hazelcast.cp.internal.datastructures.lock.AbstractFencedLockBasicTest;
import dev.holdfast.Holdfast;
import dev.holdfast.testkit.RedisServer;
import java.lang.reflect.Proxy;
import java.util.function.Function;
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
        CPSubsystem locks = only(
                CPSubsystem.class, "getLock", name -> new HazelcastFencedLock(client.getFencedLock((String) name[0])));
        return new HazelcastInstance[] {only(HazelcastInstance.class, "getCPSubsystem", none -> locks)};
    }

    @Override
    protected HazelcastInstance getPrimaryInstance() {
        return instances[0];
    }

    /** {@return an object of which the tests use one method} */
    private static <T> T only(Class<T> type, String method, Function<Object[], Object> result) {
        return type.cast(Proxy.newProxyInstance(
                HazelcastFencedLockTest.class.getClassLoader(), new Class<?>[] {type}, (self, called, arguments) -> {
                    if (called.getName().equals(method)) {
                        return result.apply(arguments);
                    }
                    throw new UnsupportedOperationException(called.toString());
                }));
    }
}

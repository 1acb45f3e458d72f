package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Virtual threads own locks like other threads. Skipped on a JDK without them. */
@Tag("client")
@SuppressWarnings("LockNotBeforeTry") // a thread that fails in between fails the test
final class VirtualThreadTest {
    private static final int THREADS = 200;

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private int count;

    private static ThreadFactory virtualThreads() throws ReflectiveOperationException {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        Method factory = Class.forName("java.lang.Thread$Builder").getMethod("factory");
        return (ThreadFactory) factory.invoke(builder);
    }

    /** Many virtual threads exclude each other, and each acquires the lock. */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void lock_manyVirtualThreads() throws Exception {
        ThreadFactory factory = virtualThreads();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Holdfast client = i % 2 == 0 ? redis.client() : redis.rival();
            DistributedLock lock = client.getLock(redis.name());
            threads.add(factory.newThread(() -> {
                lock.lock();
                lock.lock();
                count++;
                lock.unlock();
                lock.unlock();
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join(Patience.LIMIT.toMillis());
        }
        redis.lock().runLocked(() -> assertThat(count).isEqualTo(THREADS));
    }
}

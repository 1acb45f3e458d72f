package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Virtual threads own locks as others do. Skipped by a JDK that has none. */
@SuppressWarnings("LockNotBeforeTry") // a thread that fails in between fails the test
final class VirtualThreadTest {
    private static final int THREADS = 200;

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private int count;

    @BeforeAll
    static void needVirtualThreads() {
        assumeTrue(Runtime.version().feature() >= 21, "no virtual threads before JDK 21");
    }

    private static ThreadFactory virtualThreads() throws ReflectiveOperationException {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        Method factory = Class.forName("java.lang.Thread$Builder").getMethod("factory");
        return (ThreadFactory) factory.invoke(builder);
    }

    /** Many of them exclude each other, and each gets its turn. */
    @Test
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

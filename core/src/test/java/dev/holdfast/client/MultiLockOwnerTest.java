package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.MultiLock;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import dev.holdfast.Worker;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The owner of a multi-lock is one client with one of its threads. */
@Tag("client")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
final class MultiLockOwnerTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private static String key(String name) {
        return redis.name() + " " + name;
    }

    private static MultiLock multi(Holdfast client, String... names) {
        return Holdfast.multiLock(
                Stream.of(names).map(name -> client.getLock(key(name))).toArray(DistributedLock[]::new));
    }

    private static void freeAll() {
        redis.keys().forEach(key -> redis.rival().getLock(key).forceUnlock());
    }

    /** What a thread holds by one client, it neither enters nor leaves by another one, for which it is busy. */
    @Test
    void otherClient_isAnotherOwner() {
        MultiLock lock = multi(redis.client(), "a", "b");
        MultiLock same = multi(redis.rival(), "a", "b");
        lock.lock();
        assertThat(same.isHeldByCurrentThread()).isFalse();
        assertThat(same.tryLock()).isFalse();
        assertThat(multi(redis.rival(), "b", "c").tryLock()).isFalse();
        assertThatThrownBy(same::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .isNotInstanceOf(LeaseLostException.class);
        lock.unlock();
        assertThat(same.tryLock()).isTrue();
        same.unlock();
    }

    /** A multi-lock of two clients is found by either, in whichever order they are named. */
    @Test
    void severalClients() {
        DistributedLock one = redis.client().getLock(key("a"));
        DistributedLock other = redis.rival().getLock(key("b"));
        MultiLock lock = Holdfast.multiLock(one, other);
        MultiLock reversed = Holdfast.multiLock(other, one);
        lock.lock();
        reversed.lock();
        assertThat(lock.getHoldCount()).isEqualTo(2);
        assertThatIllegalStateException()
                .isThrownBy(() -> Holdfast.multiLock(other, redis.rival().getLock(key("c")))
                        .lock())
                .withMessageContaining("wait for itself");
        reversed.unlock();
        lock.unlock();
        assertThat(redis.keys()).isEmpty();
    }

    /** What a thread has never unlocked of a client that is closed concerns no later client, and its own unlock reports it. */
    @Test
    void closedClient_concernsNoLaterOne() {
        Holdfast former = redis.connect(builder -> builder);
        MultiLock lock = multi(former, "a", "b");
        lock.lock();
        former.close();
        freeAll();
        MultiLock later = multi(redis.client(), "a", "b");
        assertThat(later.tryLock()).isTrue();
        later.unlock();
        assertThatThrownBy(lock::unlock)
                .isInstanceOfSatisfying(LeaseLostException.class, lost -> assertThat(lost.reason())
                        .isEqualTo(LossReason.CLOSED));
    }

    /** A client that is closed is not reachable from a thread that has never unlocked a multi-lock of it. */
    @Test
    void closedClient_isNotReachable() {
        Worker worker = redis.worker();
        WeakReference<DistributedLock> lockOfClient = worker.does(MultiLockOwnerTest::lockAndClose);
        freeAll();
        Patience.await().until(() -> {
            System.gc();
            return lockOfClient.get() == null;
        });
        assertThat(worker.thread().isAlive()).isTrue();
    }

    private static WeakReference<DistributedLock> lockAndClose() {
        try (Holdfast client = redis.connect(builder -> builder)) {
            DistributedLock lock = client.getLock(key("a"));
            Holdfast.multiLock(lock, client.getLock(key("b"))).lock();
            return new WeakReference<>(lock);
        }
    }

    /** What threads that have died never unlocked is forgotten by a client that stays open. */
    @Test
    void deadThreads_areForgotten() throws InterruptedException {
        int many = 50;
        Holdfast client = redis.briskClient();
        List<WeakReference<Thread>> dead = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            dead.add(lockAndDie(multi(client, "lock " + i)));
        }
        Patience.await().until(() -> {
            System.gc();
            return dead.stream().filter(thread -> thread.get() != null).count() < many / 2;
        });
    }

    private static WeakReference<Thread> lockAndDie(MultiLock lock) throws InterruptedException {
        Thread thread = new Thread(lock::lock);
        thread.start();
        thread.join();
        return new WeakReference<>(thread);
    }
}

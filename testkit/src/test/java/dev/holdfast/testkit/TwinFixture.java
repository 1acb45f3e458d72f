package dev.holdfast.testkit;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The contract's twin in a single JVM: clients that share {@link ReentrantLock}s. Its correct behaviour is the JDK's;
 * each broken twin overrides one aspect.
 */
class TwinFixture implements LockFixture {
    private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

    /** By the names of the lock and the condition. */
    private final Map<List<String>, Condition> conditions = new ConcurrentHashMap<>();

    @Override
    public LockClient newClient() {
        return new TwinClient(this);
    }

    private ReentrantLock shared(String name) {
        return locks.computeIfAbsent(name, unused -> new ReentrantLock(true));
    }

    /** {@return the lock that a client returns for it} */
    Lock seen(ReentrantLock shared) {
        return new TwinLock(shared);
    }

    private Condition shared(String name, String condition) {
        return conditions.computeIfAbsent(
                List.of(name, condition), unused -> shared(name).newCondition());
    }

    /** {@return the condition that a client returns for it} */
    Condition seen(ReentrantLock lock, Condition shared) {
        return shared;
    }

    /** {@return whether there is a waiter} */
    boolean isAwaited(ReentrantLock shared) {
        return shared.hasQueuedThreads();
    }

    /** {@return how many wait in the order in which they will be served} */
    int waitersInOrder(ReentrantLock shared) {
        return shared.isFair() ? shared.getQueueLength() : -1;
    }

    /** {@return whether an owner that has given up its wait keeps a lock that is granted afterwards} */
    boolean forgetsCancellation() {
        return false;
    }

    @Override
    public List<String> residue() {
        return locks.entrySet().stream()
                .filter(entry -> entry.getValue().isLocked() || entry.getValue().hasQueuedThreads())
                .map(entry -> entry.getKey() + ": " + entry.getValue())
                .toList();
    }

    @Override
    public void close() {}

    private static final class TwinClient implements LockClient {
        private final TwinFixture fixture;
        private final Queue<ThreadedOwner> owners = new ConcurrentLinkedQueue<>();

        TwinClient(TwinFixture fixture) {
            this.fixture = fixture;
        }

        @Override
        public Lock lock(String name) {
            return fixture.seen(fixture.shared(name));
        }

        @Override
        public Condition condition(String name, String condition) {
            return fixture.seen(fixture.shared(name), fixture.shared(name, condition));
        }

        @Override
        public AsyncOwner newOwner(String name) {
            ThreadedOwner owner = new ThreadedOwner(lock(name), fixture.forgetsCancellation());
            owners.add(owner);
            return owner;
        }

        @Override
        public boolean isHeldByCurrentThread(String name) {
            return fixture.shared(name).isHeldByCurrentThread();
        }

        @Override
        public int holdCount(String name) {
            return fixture.shared(name).getHoldCount();
        }

        @Override
        public boolean isAwaited(String name) {
            return fixture.isAwaited(fixture.shared(name));
        }

        @Override
        public int waitersInOrder(String name) {
            return fixture.waitersInOrder(fixture.shared(name));
        }

        @Override
        public List<String> residue() {
            return List.of();
        }

        @Override
        public void close() {
            owners.forEach(ThreadedOwner::close);
        }
    }
}

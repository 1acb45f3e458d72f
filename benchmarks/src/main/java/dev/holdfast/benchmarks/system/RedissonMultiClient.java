package dev.holdfast.benchmarks.system;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.redisson.RedissonMultiLock;
import org.redisson.api.RLock;

/**
 * Redisson's multi-lock. A call waits for one member after the other, in the order in which they were named, and holds
 * those that it has. When that has taken 1.5 s for each member, it releases all and starts from none.
 */
final class RedissonMultiClient implements MultiClient {
    private final List<RedissonLocks> clients;
    private final LongAdder undone = new LongAdder();
    private final LongAdder restarts = new LongAdder();

    RedissonMultiClient(List<RedissonLocks> clients) {
        this.clients = clients;
    }

    @Override
    public List<LockClient> clients() {
        return List.copyOf(clients);
    }

    @Override
    public BlockingLock all(List<Member> members) {
        return BlockingLock.of(new Counted(members.stream()
                .map(member -> clients.get(member.server()).redisson().getLock(member.name()))
                .toArray(RLock[]::new)));
    }

    @Override
    public long undone() {
        return undone.sum();
    }

    @Override
    public long restarts() {
        return restarts.sum();
    }

    /** Counts what is released by an attempt that has failed. */
    private final class Counted extends RedissonMultiLock {
        Counted(RLock... locks) {
            super(locks);
        }

        @Override
        protected void unlockInner(Collection<RLock> locks) {
            if (!locks.isEmpty()) {
                restarts.increment();
                undone.add(locks.size());
            }
            super.unlockInner(locks);
        }
    }
}

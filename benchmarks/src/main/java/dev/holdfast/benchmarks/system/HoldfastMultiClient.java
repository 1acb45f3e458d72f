package dev.holdfast.benchmarks.system;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.MultiLock;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Holdfast's multi-lock. A call that finds a member busy releases the members behind it in the order of all callers,
 * and keeps the others: it never starts from none.
 */
final class HoldfastMultiClient implements MultiClient {
    private final List<HoldfastClient> clients;

    /** The members of all calls that have returned. */
    private final LongAdder kept = new LongAdder();

    HoldfastMultiClient(List<HoldfastClient> clients) {
        this.clients = clients;
    }

    @Override
    public List<LockClient> clients() {
        return List.copyOf(clients);
    }

    @Override
    public BlockingLock all(List<Member> members) {
        MultiLock lock = Holdfast.multiLock(members.stream()
                .map(member -> clients.get(member.server()).holdfast().getLock(member.name()))
                .toArray(DistributedLock[]::new));
        return new BlockingLock() {
            @Override
            public void lock() {
                lock.lock();
                kept.add(members.size());
            }

            @Override
            public void unlock() {
                lock.unlock();
            }
        };
    }

    /** What the clients have acquired otherwise was for calls that found another member busy. */
    @Override
    public long undone() {
        long acquired = clients.stream()
                .mapToLong(client -> client.holdfast().stats().acquired())
                .sum();
        return acquired - kept.sum();
    }

    @Override
    public long restarts() {
        return 0;
    }
}

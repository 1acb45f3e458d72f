package dev.holdfast.client;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Locks;
import dev.holdfast.OwnedLock;
import dev.holdfast.SharedRedis;
import dev.holdfast.testkit.AsyncOwner;
import dev.holdfast.testkit.LockClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;

/** A client as the lock contract sees it. The code that created the client closes it. */
final class ContractClient implements LockClient {
    /** It expects signals at this many locks for a watchdog timeout after the last wait, with a heartbeat for each. */
    private static final String LISTENING = "\\{conditions=(\\d+), timeouts=\\1}";

    private final Holdfast client;
    private final Locks kind;
    private final boolean fair;

    ContractClient(Holdfast client, Locks kind, boolean fair) {
        this.client = client;
        this.kind = kind;
        this.fair = fair;
    }

    @Override
    public DistributedLock lock(String name) {
        return kind.lock(client, name);
    }

    @Override
    public Condition condition(String name, String condition) {
        return lock(name).getCondition(condition);
    }

    @Override
    public AsyncOwner newOwner(String name) {
        return new Owner(lock(name).ownedBy(client.newOwnerId()));
    }

    @Override
    public boolean isHeldByCurrentThread(String name) {
        return lock(name).isHeldByCurrentThread();
    }

    @Override
    public int holdCount(String name) {
        return lock(name).getHoldCount();
    }

    @Override
    public boolean isAwaited(String name) {
        return client.stats().waiters() > 0;
    }

    @Override
    public int waitersInOrder(String name) {
        return fair ? lock(name).inspect().clientsInLine() : -1;
    }

    @Override
    public List<String> residue() {
        String residue = SharedRedis.residueOf(client);
        return residue.isEmpty() || residue.matches(LISTENING) ? List.of() : List.of(residue);
    }

    @Override
    public void close() {}

    @SuppressWarnings("NullAway") // null is the only value of Void
    private record Owner(OwnedLock owned) implements AsyncOwner {
        @Override
        public CompletableFuture<Void> lock() {
            return owned.lockAsync();
        }

        @Override
        public CompletableFuture<Boolean> tryLock(Duration wait) {
            return owned.tryLockAsync(wait);
        }

        @Override
        public CompletableFuture<Void> unlock() {
            return owned.unlockAsync();
        }
    }
}

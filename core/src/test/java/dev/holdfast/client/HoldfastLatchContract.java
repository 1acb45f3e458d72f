package dev.holdfast.client;

import dev.holdfast.Holdfast;
import dev.holdfast.SharedRedis;
import dev.holdfast.testkit.LatchClient;
import dev.holdfast.testkit.LatchContract;
import dev.holdfast.testkit.LatchFixture;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The latch fulfils the contract of all latches; the same two clients are used for all tests, and closed elsewhere. */
abstract class HoldfastLatchContract extends LatchContract {
    private final List<Holdfast> clients;
    private final Supplier<List<String>> keys;

    /** @param keys returns the keys that should be gone when no latch has a count */
    HoldfastLatchContract(Holdfast client, Holdfast rival, Supplier<List<String>> keys) {
        this.clients = List.of(client, rival);
        this.keys = keys;
    }

    @Override
    protected final LatchFixture newFixture() {
        Iterator<Holdfast> next = clients.iterator();
        return new LatchFixture() {
            @Override
            public LatchClient newClient() {
                return new Client(next.next());
            }

            @Override
            public List<String> residue() {
                return keys.get();
            }

            @Override
            public void close() {}
        };
    }

    private record Client(Holdfast client) implements LatchClient {
        @Override
        public CompletableFuture<Boolean> trySetCount(String name, long count) {
            return client.getCountDownLatch(name).trySetCountAsync(count);
        }

        @Override
        public CompletableFuture<?> countDown(String name, long by) {
            return client.getCountDownLatch(name).countDownAsync(by);
        }

        @Override
        public CompletableFuture<Long> count(String name) {
            return client.getCountDownLatch(name).getCountAsync();
        }

        @Override
        public CompletableFuture<Boolean> delete(String name) {
            return client.getCountDownLatch(name).deleteAsync();
        }

        @Override
        public CompletableFuture<Boolean> await(String name, Duration wait) {
            return client.getCountDownLatch(name).awaitAsync(wait);
        }

        @Override
        public boolean isAwaited(String name, int callers) {
            return client.stats().waiters() == callers;
        }

        @Override
        public List<String> residue() {
            String residue = SharedRedis.residueOf(client);
            return residue.isEmpty() ? List.of() : List.of(residue);
        }

        @Override
        public void close() {}
    }
}

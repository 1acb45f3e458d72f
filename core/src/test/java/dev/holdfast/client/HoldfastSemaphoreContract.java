package dev.holdfast.client;

import dev.holdfast.DistributedSemaphore;
import dev.holdfast.Holdfast;
import dev.holdfast.Permits;
import dev.holdfast.SharedRedis;
import dev.holdfast.testkit.SemaphoreClient;
import dev.holdfast.testkit.SemaphoreContract;
import dev.holdfast.testkit.SemaphoreFixture;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The semaphore fulfils the contract of all semaphores; the same two clients are used for all tests, and closed elsewhere. */
abstract class HoldfastSemaphoreContract extends SemaphoreContract {
    private final List<Holdfast> clients;
    private final Supplier<List<String>> keys;

    /** @param keys returns the keys that should be gone when no permit is held */
    HoldfastSemaphoreContract(Holdfast client, Holdfast rival, Supplier<List<String>> keys) {
        this.clients = List.of(client, rival);
        this.keys = keys;
    }

    @Override
    protected final SemaphoreFixture newFixture() {
        Iterator<Holdfast> next = clients.iterator();
        return new SemaphoreFixture() {
            @Override
            public SemaphoreClient newClient() {
                return new Client(next.next(), hasLine());
            }

            @Override
            public List<String> residue() {
                return keys.get();
            }

            @Override
            public void close() {}
        };
    }

    private record Granted(Permits permits) implements SemaphoreClient.Grant {
        @Override
        public int number() {
            return permits.number();
        }

        @Override
        public boolean isHeld() {
            return permits.isValid();
        }

        @Override
        public CompletableFuture<?> release() {
            return permits.releaseAsync();
        }
    }

    private record Client(Holdfast client, boolean hasLine) implements SemaphoreClient {
        /** {@return what the call returns} A caller that cancels it cancels the call. */
        @SuppressWarnings("FutureReturnValueIgnored") // the caller has the outcome itself
        private static CompletableFuture<Optional<Grant>> outcomeOf(CompletableFuture<Optional<Permits>> call) {
            CompletableFuture<Optional<Grant>> outcome = call.thenApply(permits -> permits.map(Granted::new));
            outcome.whenComplete((granted, cancelled) -> call.cancel(false));
            return outcome;
        }

        @Override
        public CompletableFuture<Optional<Grant>> acquire(String name, int limit, int permits, Duration wait) {
            return outcomeOf(client.getSemaphore(name, limit).tryAcquireAsync(permits, wait));
        }

        @Override
        public CompletableFuture<Optional<Grant>> acquire(
                String name, int limit, int permits, Duration wait, Duration lease) {
            return outcomeOf(client.getSemaphore(name, limit).tryAcquireAsync(permits, wait, lease));
        }

        @Override
        public Grant acquireInterruptibly(String name, int limit, int permits) throws InterruptedException {
            return new Granted(client.getSemaphore(name, limit).acquireInterruptibly(permits));
        }

        @Override
        public CompletableFuture<Integer> available(String name, int limit) {
            return client.getSemaphore(name, limit).availablePermitsAsync();
        }

        @Override
        public boolean isAwaited(String name, int callers) {
            return client.stats().waiters() == callers && (!hasLine || isInLine(name) == callers > 0);
        }

        /** The client has one place for all its callers. */
        private boolean isInLine(String name) {
            DistributedSemaphore any = client.getSemaphore(name, 1);
            return any.inspect().line().stream()
                    .anyMatch(request -> request.owner().startsWith(client.clientId() + ":"));
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

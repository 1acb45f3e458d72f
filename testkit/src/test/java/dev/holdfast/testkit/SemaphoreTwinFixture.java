package dev.holdfast.testkit;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/** Clients in a single JVM that share semaphores. A broken twin overrides one aspect of it, or of its semaphores. */
class SemaphoreTwinFixture implements SemaphoreFixture {
    private static final Duration FOR_EVER = Duration.ofDays(1);

    private final Map<String, TwinSemaphore> semaphores = new ConcurrentHashMap<>();
    private final Supplier<TwinSemaphore> maker;

    SemaphoreTwinFixture(Supplier<TwinSemaphore> maker) {
        this.maker = maker;
    }

    @Override
    public SemaphoreClient newClient() {
        return new Client();
    }

    @Override
    public List<String> residue() {
        return semaphores.entrySet().stream()
                .filter(entry -> entry.getValue().isUsed())
                .map(Map.Entry::getKey)
                .toList();
    }

    @Override
    public void close() {}

    <T> T outcomeOf(CompletableFuture<T> call) throws InterruptedException {
        try {
            return call.get();
        } catch (ExecutionException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** The thread that waits was interrupted. */
    void abandon(CompletableFuture<?> call) {
        call.cancel(false);
    }

    private final class Client implements SemaphoreClient {
        private final ConcurrentLinkedQueue<CompletableFuture<?>> calls = new ConcurrentLinkedQueue<>();

        private TwinSemaphore semaphore(String name) {
            return semaphores.computeIfAbsent(name, unused -> maker.get());
        }

        private CompletableFuture<Optional<Grant>> submit(String name, TwinSemaphore.Request request) {
            CompletableFuture<Optional<Grant>> call = semaphore(name).submit(request);
            calls.add(call);
            return call;
        }

        @Override
        public CompletableFuture<Optional<Grant>> acquire(String name, int limit, int permits, Duration wait) {
            return submit(name, new TwinSemaphore.Request(limit, permits, wait, null));
        }

        @Override
        public CompletableFuture<Optional<Grant>> acquire(
                String name, int limit, int permits, Duration wait, Duration lease) {
            return submit(name, new TwinSemaphore.Request(limit, permits, wait, lease));
        }

        @Override
        public Grant acquireInterruptibly(String name, int limit, int permits) throws InterruptedException {
            CompletableFuture<Optional<Grant>> call = acquire(name, limit, permits, FOR_EVER);
            try {
                return outcomeOf(call).orElseThrow();
            } catch (InterruptedException interrupt) {
                abandon(call);
                throw interrupt;
            }
        }

        @Override
        public CompletableFuture<Integer> available(String name, int limit) {
            return CompletableFuture.completedFuture(semaphore(name).available(limit));
        }

        @Override
        public boolean isAwaited(String name, int callers) {
            return residue().size() == callers;
        }

        @Override
        public List<String> residue() {
            return calls.stream()
                    .filter(call -> !call.isDone())
                    .map(CompletableFuture::toString)
                    .toList();
        }

        @Override
        public void close() {}
    }
}

package dev.holdfast.testkit;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Clients in a single JVM that share counts, one after the other under each name. Each broken twin overrides one aspect. */
class LatchTwinFixture implements LatchFixture {
    /** One count of a latch. */
    static final class Count {
        /** Guarded by the fixture. */
        long left;

        /** Completes when it is zero, and fails when it is deleted. */
        final CompletableFuture<Boolean> end = new CompletableFuture<>();

        Count(long left) {
            this.left = left;
        }
    }

    /** Guarded by this. */
    final Map<String, Count> counts = new HashMap<>();

    synchronized boolean set(String name, long count) {
        return counts.putIfAbsent(name, new Count(count)) == null;
    }

    synchronized void countDown(String name, long by) {
        Count count = counts.get(name);
        if (count != null) {
            count.left -= by;
            if (isZero(count.left)) {
                counts.remove(name);
                count.end.complete(true);
            }
        }
    }

    boolean isZero(long left) {
        return left <= 0;
    }

    synchronized long count(String name) {
        Count count = counts.get(name);
        return count == null ? 0 : count.left;
    }

    final synchronized boolean delete(String name) {
        Count count = counts.remove(name);
        if (count != null) {
            deleted(count);
        }
        return count != null;
    }

    void deleted(Count count) {
        count.end.completeExceptionally(new IllegalStateException("deleted"));
    }

    final synchronized CompletableFuture<Boolean> await(String name, Duration wait) {
        Count count = counts.get(name);
        if (count == null || wait.isZero()) {
            return CompletableFuture.completedFuture(count == null);
        }
        return endOf(name, count).completeOnTimeout(false, wait.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** {@return a future of its own for a caller that awaits the count} */
    CompletableFuture<Boolean> endOf(String name, Count count) {
        return count.end.copy();
    }

    @Override
    public LatchClient newClient() {
        return new Client();
    }

    @Override
    public synchronized List<String> residue() {
        return List.copyOf(counts.keySet());
    }

    @Override
    public void close() {}

    private final class Client implements LatchClient {
        private final ConcurrentLinkedQueue<CompletableFuture<Boolean>> waiting = new ConcurrentLinkedQueue<>();

        private static <T> CompletableFuture<T> answer(Supplier<T> call) {
            return CompletableFuture.completedFuture(call.get());
        }

        @Override
        public CompletableFuture<Boolean> trySetCount(String name, long count) {
            return answer(() -> set(name, count));
        }

        @Override
        public CompletableFuture<?> countDown(String name, long by) {
            LatchTwinFixture.this.countDown(name, by);
            return CompletableFuture.completedFuture(by);
        }

        @Override
        public CompletableFuture<Long> count(String name) {
            return answer(() -> LatchTwinFixture.this.count(name));
        }

        @Override
        public CompletableFuture<Boolean> delete(String name) {
            return answer(() -> LatchTwinFixture.this.delete(name));
        }

        @Override
        public CompletableFuture<Boolean> await(String name, Duration wait) {
            CompletableFuture<Boolean> call = LatchTwinFixture.this.await(name, wait);
            waiting.add(call);
            return call;
        }

        @Override
        public boolean isAwaited(String name, int callers) {
            return residue().size() == callers;
        }

        @Override
        public List<String> residue() {
            return waiting.stream()
                    .filter(call -> !call.isDone())
                    .map(CompletableFuture::toString)
                    .toList();
        }

        @Override
        public void close() {}
    }
}

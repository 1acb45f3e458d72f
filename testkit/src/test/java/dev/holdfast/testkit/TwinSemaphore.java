package dev.holdfast.testkit;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A semaphore within one JVM, with a line of futures. Guarded by itself. Each broken twin overrides one aspect. */
class TwinSemaphore {
    /** A caller that wants permits. */
    static final class Request {
        final int limit;
        final int permits;
        private final Duration wait;
        private final @Nullable Duration lease;
        final CompletableFuture<Optional<SemaphoreClient.Grant>> outcome = new CompletableFuture<>();

        Request(int limit, int permits, Duration wait, @Nullable Duration lease) {
            this.limit = limit;
            this.permits = permits;
            this.wait = wait;
            this.lease = lease;
        }
    }

    /** Permits that a request was granted. */
    final class Grant implements SemaphoreClient.Grant {
        final int permits;
        private final int number;

        Grant(int permits, int number) {
            this.permits = permits;
            this.number = number;
        }

        @Override
        public int number() {
            return number;
        }

        @Override
        public boolean isHeld() {
            synchronized (TwinSemaphore.this) {
                return grants.contains(this);
            }
        }

        @Override
        public CompletableFuture<?> release() {
            TwinSemaphore.this.release(this);
            return CompletableFuture.completedFuture(number);
        }
    }

    final List<Grant> grants = new ArrayList<>();
    final Deque<Request> line = new ArrayDeque<>();

    @SuppressWarnings("FutureReturnValueIgnored") // the caller has the outcome itself
    final synchronized CompletableFuture<Optional<SemaphoreClient.Grant>> submit(Request request) {
        if (mayTry() && fits(request)) {
            grant(request);
        } else if (request.wait.isZero()) {
            request.outcome.complete(Optional.empty());
        } else {
            join(request);
            request.outcome
                    .completeOnTimeout(Optional.empty(), waitOf(request).toNanos(), TimeUnit.NANOSECONDS)
                    .whenComplete((granted, cancelled) -> leave(request));
        }
        return request.outcome;
    }

    Duration waitOf(Request request) {
        return request.wait;
    }

    /** {@return after which time the permits are released; null if they are not} */
    @Nullable
    Duration leaseOf(Request request) {
        return request.lease;
    }

    boolean mayTry() {
        return line.isEmpty();
    }

    boolean fits(Request request) {
        return held() + request.permits <= request.limit;
    }

    int held() {
        return grants.stream().mapToInt(grant -> grant.permits).sum();
    }

    void join(Request request) {
        line.addLast(request);
    }

    /** Its outcome is known: it waits no longer. */
    synchronized void leave(Request request) {
        if (line.remove(request)) {
            serve();
        }
    }

    /** The permits have changed, or the line. */
    void serve() {
        while (!line.isEmpty() && fits(line.element())) {
            grant(line.remove());
        }
    }

    final void grant(Request request) {
        Grant granted = new Grant(request.permits, newNumber());
        grants.add(granted);
        Duration lease = leaseOf(request);
        if (lease != null) {
            CompletableFuture.delayedExecutor(lease.toNanos(), TimeUnit.NANOSECONDS)
                    .execute(() -> end(granted));
        }
        if (!request.outcome.complete(Optional.of(granted))) {
            grants.remove(granted);
        }
    }

    /** {@return the least number that no grant has} */
    int newNumber() {
        return IntStream.iterate(0, number -> number + 1)
                .filter(number -> grants.stream().noneMatch(grant -> grant.number == number))
                .findFirst()
                .orElseThrow();
    }

    /** Its lease has ended. */
    void end(Grant grant) {
        release(grant);
    }

    synchronized void release(Grant grant) {
        if (grants.remove(grant)) {
            serve();
        }
    }

    final synchronized int available(int limit) {
        return Math.max(0, limit - held());
    }

    final synchronized boolean isUsed() {
        return !grants.isEmpty() || !line.isEmpty();
    }
}

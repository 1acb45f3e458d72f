package dev.holdfast.interop;

import static dev.holdfast.interop.Neighbours.inNewThread;
import static dev.holdfast.interop.Neighbours.newName;
import static dev.holdfast.interop.Neighbours.under;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Many owners of Holdfast hand a lock off among themselves: owners of Redisson acquire it, too. */
@Tag("interop")
@Tag("driver")
@TestInstance(Lifecycle.PER_CLASS)
class HandoffInteropTest {
    private static final int OWNERS = 32;
    private static final int ACQUISITIONS = 10;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Neighbours neighbours = new Neighbours();
    private final String name = newName();
    private final AtomicBoolean stopped = new AtomicBoolean();

    /** Written under the lock by the owners of both libraries. */
    private int counter;

    /** How often owners of Holdfast have entered. */
    private final AtomicInteger ours = new AtomicInteger();

    @AfterAll
    void stop() {
        neighbours.close();
    }

    /** Redisson's owners acquire the lock repeatedly while Holdfast's continue, and the count of both is exact. */
    @Test
    void theirs_areServed_countExactly() {
        CompletableFuture<?>[] ends =
                Stream.generate(this::contend).limit(OWNERS).toArray(CompletableFuture[]::new);
        await().atMost(TIMEOUT).until(() -> ours.get() > OWNERS);

        CompletableFuture<Void> theirs = inNewThread(() -> {
            for (int i = 0; i < ACQUISITIONS; i++) {
                under(neighbours.theirs(name), () -> counter++);
            }
        });

        assertThat(theirs).succeedsWithin(TIMEOUT);
        assertThat(ends).noneMatch(CompletableFuture::isDone);
        stopped.set(true);
        assertThat(CompletableFuture.allOf(ends)).succeedsWithin(TIMEOUT);
        assertThat(counter).isEqualTo(ours.get() + ACQUISITIONS);
        assertThat(neighbours.hash(name)).isEmpty();
    }

    private CompletableFuture<Void> contend() {
        CompletableFuture<Void> end = new CompletableFuture<>();
        contend(end);
        return end;
    }

    /** Requests the lock again before it is released, so that Holdfast always has a waiter. */
    @SuppressWarnings("FutureReturnValueIgnored") // a failure of any of them fails the test at the end
    private void contend(CompletableFuture<Void> end) {
        neighbours
                .ours(name)
                .acquireAsync()
                .thenCompose(lease -> {
                    counter++;
                    ours.incrementAndGet();
                    if (stopped.get()) {
                        return lease.releaseAsync().thenRun(() -> end.complete(null));
                    }
                    contend(end);
                    return lease.releaseAsync();
                })
                .exceptionally(failure -> {
                    end.completeExceptionally(failure);
                    return null;
                });
    }
}

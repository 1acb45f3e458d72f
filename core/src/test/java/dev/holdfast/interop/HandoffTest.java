package dev.holdfast.interop;

import static dev.holdfast.interop.Neighbours.inNewThread;
import static dev.holdfast.interop.Neighbours.newName;
import static dev.holdfast.interop.Neighbours.under;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Many threads of ours pass a lock on among themselves: those of the other library have their turns at it, too. */
@TestInstance(Lifecycle.PER_CLASS)
class HandoffTest {
    private static final int THREADS = 32;
    private static final int TURNS = 10;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Neighbours neighbours = new Neighbours();
    private final String name = newName();
    private final AtomicBoolean stopped = new AtomicBoolean();

    /** Written under the lock by the threads of both. */
    private int counter;

    /** How often our threads have entered; written under the lock. */
    private volatile int ours;

    @AfterAll
    void stop() {
        neighbours.close();
    }

    /** They get the lock again and again while our threads go on, and together they count exactly. */
    @Test
    void theirs_areLetIn_countExactly() {
        CompletableFuture<?>[] contending =
                Stream.generate(() -> inNewThread(this::contend)).limit(THREADS).toArray(CompletableFuture[]::new);
        await().until(() -> ours > THREADS);

        CompletableFuture<Void> theirs = inNewThread(() -> {
            for (int turn = 0; turn < TURNS; turn++) {
                under(neighbours.theirs(name), () -> counter++);
            }
        });

        assertThat(theirs).succeedsWithin(PATIENCE);
        assertThat(contending).noneMatch(CompletableFuture::isDone);
        stopped.set(true);
        assertThat(CompletableFuture.allOf(contending)).succeedsWithin(PATIENCE);
        assertThat(counter).isEqualTo(ours + TURNS);
        assertThat(neighbours.hash(name)).isEmpty();
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField") // under the lock
    private void contend() {
        while (!stopped.get()) {
            under(neighbours.ours(name), () -> {
                counter++;
                ours++;
            });
        }
    }
}

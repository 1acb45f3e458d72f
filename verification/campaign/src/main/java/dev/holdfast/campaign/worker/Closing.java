package dev.holdfast.campaign.worker;

import dev.holdfast.Holdfast;
import dev.holdfast.OwnedLock;
import dev.holdfast.campaign.schedule.ClosingKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Closes a client at an inconvenient moment: one of its owners holds a lock, and others wait for it. In every case,
 * {@code close()} returns within a time limit, throws nothing and preserves an interrupt, and every future is
 * completed. {@link ClosingKind#PLAIN} only closes the client.
 */
final class Closing {
    private static final int WAITERS = 8;

    /** Allows for the end of the client's connections, on a busy machine. */
    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(10);

    /** The limit for the completion of the futures. */
    private static final Duration COMPLETED_WITHIN = Duration.ofSeconds(2);

    private final Holdfast holdfast;
    private final List<CompletableFuture<?>> waiters = new ArrayList<>();
    private final List<String> broken = new ArrayList<>();

    private Closing(Holdfast holdfast) {
        this.holdfast = holdfast;
    }

    /** {@return a description of each deviation from the contract} */
    static List<String> of(Holdfast holdfast, ClosingKind kind) throws InterruptedException {
        Closing closing = new Closing(holdfast);
        if (kind == ClosingKind.PLAIN) {
            holdfast.close();
        } else {
            closing.carryOut(kind);
        }
        return closing.broken;
    }

    private void carryOut(ClosingKind kind) throws InterruptedException {
        await(owner("closed").lockAsync(), "the acquisition that others wait for");
        for (int i = 0; i < WAITERS; i++) {
            waiters.add(owner("closed").lockAsync());
        }
        CompletableFuture<?> callback = callback(kind);
        awaitEnd(kind == ClosingKind.IN_CALLBACK ? callback : onItsOwnThread(kind), CLOSED_WITHIN, "close()");
        CompletableFuture<?> all = CompletableFuture.allOf(waiters.toArray(CompletableFuture[]::new));
        awaitEnd(all, COMPLETED_WITHIN, "the futures of the waiters");
        awaitEnd(callback, COMPLETED_WITHIN, "a callback");
    }

    private CompletableFuture<?> onItsOwnThread(ClosingKind kind) {
        CompletableFuture<?> closed = new CompletableFuture<>();
        new Thread(
                        () -> {
                            close(kind);
                            closed.complete(null);
                        },
                        "closer")
                .start();
        return closed;
    }

    /**
     * {@return completes when the callback of the client has ended} The callback has started when this method returns.
     * The future is completed already if this kind needs no callback.
     */
    private CompletableFuture<?> callback(ClosingKind kind) throws InterruptedException {
        if (kind == ClosingKind.INTERRUPTED) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<?> begun = new CompletableFuture<>();
        OwnedLock before = owner("free");
        await(before.lockAsync(), "the acquisition of a free lock");
        CompletableFuture<?> callback = owner("free").lockAsync().thenRun(() -> {
            begun.complete(null);
            if (kind == ClosingKind.IN_CALLBACK) {
                close(kind);
            } else {
                // The future that it blocks on is completed by a callback that is queued behind this one.
                waiters.get(0).handle((done, failure) -> done).join();
            }
        });
        // Not earlier: a callback that is attached to a completed future runs on the attaching thread.
        await(before.unlockAsync(), "the release of a lock");
        await(begun, "the start of the callback");
        return callback;
    }

    private void close(ClosingKind kind) {
        if (kind == ClosingKind.INTERRUPTED) {
            Thread.currentThread().interrupt();
        }
        try {
            holdfast.close();
        } catch (RuntimeException e) {
            note("an exception thrown by close(): " + e);
        }
        if (kind == ClosingKind.INTERRUPTED && !Thread.interrupted()) {
            note("no interrupt on the thread that called close()");
        }
    }

    private synchronized void note(String what) {
        broken.add(what);
    }

    private OwnedLock owner(String lock) {
        return holdfast.getLock(lock + " of " + holdfast.clientId()).ownedBy(holdfast.newOwnerId());
    }

    private void await(CompletableFuture<?> future, String what) throws InterruptedException {
        try {
            future.get(CLOSED_WITHIN.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(what + " must succeed before the client is closed, but " + e, e);
        }
    }

    private void awaitEnd(CompletableFuture<?> future, Duration longest, String what) throws InterruptedException {
        try {
            future.get(longest.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            // The future is completed.
        } catch (TimeoutException e) {
            note(what + ", not completed within " + longest + ",");
        }
    }
}

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
 * Closes a client in an unfriendly moment: one of its owners holds a lock, others wait for it. What must be so whatever the moment: the
 * close ends within a time, throws nothing and keeps an interrupt, and every future is completed.
 */
final class Closing {
    private static final int WAITERS = 8;

    /** What the connections of a client may take to end, and what a busy machine adds. */
    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(10);

    /** For whoever waits to be told. */
    private static final Duration TOLD_WITHIN = Duration.ofSeconds(2);

    private final Holdfast holdfast;
    private final List<CompletableFuture<?>> waiters = new ArrayList<>();
    private final List<String> broken = new ArrayList<>();

    private Closing(Holdfast holdfast) {
        this.holdfast = holdfast;
    }

    /** {@return what was not as promised, in words} */
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
        await(owner("closed").lockAsync(), "the lock that others wait for");
        for (int i = 0; i < WAITERS; i++) {
            waiters.add(owner("closed").lockAsync());
        }
        CompletableFuture<?> callback = callback(kind);
        awaitEnd(kind == ClosingKind.IN_CALLBACK ? callback : onItsOwnThread(kind), CLOSED_WITHIN, "close()");
        CompletableFuture<?> all = CompletableFuture.allOf(waiters.toArray(CompletableFuture[]::new));
        awaitEnd(all, TOLD_WITHIN, "the futures of those that wait");
        awaitEnd(callback, TOLD_WITHIN, "a callback");
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

    /** {@return what runs in a callback of the client} It runs when this returns, or is about to. */
    private CompletableFuture<?> callback(ClosingKind kind) throws InterruptedException {
        if (kind == ClosingKind.INTERRUPTED) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<?> begun = new CompletableFuture<>();
        OwnedLock before = owner("free");
        await(before.lockAsync(), "a free lock");
        CompletableFuture<?> callback = owner("free").lockAsync().thenRun(() -> {
            begun.complete(null);
            if (kind == ClosingKind.IN_CALLBACK) {
                close(kind);
            } else {
                // What it blocks on is completed by a callback behind this one.
                waiters.get(0).handle((done, failure) -> done).join();
            }
        });
        // Not earlier: a callback of a future that is completed runs where it is attached.
        await(before.unlockAsync(), "the release of a lock");
        await(begun, "a released lock");
        return callback;
    }

    private void close(ClosingKind kind) {
        if (kind == ClosingKind.INTERRUPTED) {
            Thread.currentThread().interrupt();
        }
        try {
            holdfast.close();
        } catch (RuntimeException e) {
            note("an exception that close() threw: " + e);
        }
        if (kind == ClosingKind.INTERRUPTED && !Thread.interrupted()) {
            note("no interrupt of the thread that closed");
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
            throw new IllegalStateException(what + " must be there before the client is closed, but " + e, e);
        }
    }

    private void awaitEnd(CompletableFuture<?> future, Duration longest, String what) throws InterruptedException {
        try {
            future.get(longest.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            // That is an end.
        } catch (TimeoutException e) {
            note(what + ", not at an end after " + longest + ",");
        }
    }
}

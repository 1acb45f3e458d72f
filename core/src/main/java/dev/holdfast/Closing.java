package dev.holdfast;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The close of a client: it happens once, by the thread that asks for it first, and whoever asks as well waits for its end.
 *
 * <pre>
 *         close(grace)                  nobody holds a lock, or a grace is over
 *   OPEN --------------> GRACE -------------------------------------------------> CLOSING ---> CLOSED
 *            first acquires are refused,                  renewal has ended,
 *            and those who wait have failed               what is left is taken down
 * </pre>
 *
 * <p>Of several graces the one that ends first counts, so a {@link Holdfast#close()} cuts the grace of an earlier call short. Only
 * the thread that closes does not wait for itself, should it ask again from within.
 */
final class Closing {
    private final Engine engine;
    private final Connections connections;

    /** Who closes; null while the client is open. */
    private final AtomicReference<@Nullable Thread> closer = new AtomicReference<>();

    private final CompletableFuture<@Nullable Void> graceOver = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Void> closed = new CompletableFuture<>();

    Closing(Engine engine, Connections connections) {
        this.engine = engine;
        this.connections = connections;
    }

    /** Closes the client, or waits until it is closed. An interrupt is kept for later. */
    void close(Duration grace) {
        Thread present = Thread.currentThread();
        Thread known = closer.compareAndExchange(null, present);
        if (known == null) {
            try {
                takeDown(grace);
            } finally {
                closed.complete(null);
            }
        } else if (known != present) {
            Blocking.atMost(closed, grace);
            graceOver.complete(null);
            Blocking.forResult(closed);
        }
    }

    private void takeDown(Duration grace) {
        new Shutdown().run("the queues", engine::stopGranting).run("the grace", () -> awaitHolders(grace));
        connections.close(engine);
    }

    private void awaitHolders(Duration grace) {
        if (!grace.isZero()) {
            Blocking.atMost(CompletableFuture.anyOf(engine.lanes().whenNothingIsHeld(), graceOver), grace);
        }
    }
}

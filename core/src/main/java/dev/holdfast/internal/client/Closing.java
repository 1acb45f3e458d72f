package dev.holdfast.internal.client;

import dev.holdfast.internal.session.Blocking;
import dev.holdfast.internal.topology.Shutdown;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The close of a client. The first thread that calls it executes it, once; all other callers wait for its end.
 *
 * <pre>
 *         close(grace)                  the client is idle, or a grace period is over
 *   OPEN --------------> GRACE -------------------------------------------------> CLOSING ---> CLOSED
 *            first acquires are refused,                  renewal has ended,
 *            and the waiters have failed                  the resources are closed
 * </pre>
 *
 * <p>Of several grace periods the one that ends first counts, so a {@code Holdfast.close()} cuts the grace period of an
 * earlier call short. A nested call by the closing thread returns at once, since it would wait for itself.
 */
public final class Closing {
    private final Client client;
    private final Connections connections;

    /** The thread that closes the client; null while it is open. */
    private final AtomicReference<@Nullable Thread> closer = new AtomicReference<>();

    private final CompletableFuture<@Nullable Void> graceOver = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Void> closed = new CompletableFuture<>();

    Closing(Client client, Connections connections) {
        this.client = client;
        this.connections = connections;
    }

    /** Closes the client, or waits until it is closed. An interrupt is kept for later. */
    public void close(Duration grace) {
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
        new Shutdown().run("the queues", client::stopGranting).run("the grace", () -> awaitIdle(grace));
        connections.close(client);
    }

    private void awaitIdle(Duration grace) {
        if (!grace.isZero()) {
            Blocking.atMost(CompletableFuture.anyOf(client.whenIdle(), graceOver), grace);
        }
    }
}

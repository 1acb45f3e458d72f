package dev.holdfast.internal.client;

import dev.holdfast.LockException;
import dev.holdfast.internal.redis.NodeConnection;
import io.lettuce.core.RedisURI;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The nodes of a cluster that a user has named: all are connected to at the same time, and the first one is used. */
final class Seeds {
    private final Driver driver;
    private final List<RedisURI> uris;
    private final ConnectFailures failures;
    private final CompletableFuture<SeedNode> first = new CompletableFuture<>();

    Seeds(Driver driver, List<RedisURI> uris) {
        this.driver = driver;
        this.uris = uris;
        this.failures = new ConnectFailures(uris.stream().map(Opening::place).toList());
    }

    /** {@return the first node that answers; the connections to all others are closed} */
    SeedNode firstToAnswer(Opening opening) {
        uris.forEach(uri -> connect(uri, opening));
        opening.begun();
        return opening.await(first, this::noneAnswers);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // both outcomes are processed
    private void connect(RedisURI uri, Opening opening) {
        driver.connect(uri).whenComplete((connection, failure) -> {
            if (failure == null) {
                use(new SeedNode(uri, connection, opening), connection);
            } else if (failures.add(Opening.place(uri), Opening.why(uri, failure))) {
                first.completeExceptionally(failure);
            }
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a connection that cannot be closed is closed with the driver
    private void use(SeedNode node, NodeConnection connection) {
        if (!first.complete(node)) {
            connection.closeAsync();
        }
    }

    private LockException noneAnswers(Throwable why) {
        return new LockException("cannot connect to Redis, no node of redisUri answers: " + failures, why);
    }
}

package dev.holdfast.internal.topology;

import dev.holdfast.internal.driver.NodeConnection;
import dev.holdfast.internal.redis.NodeAddress;
import dev.holdfast.pubsub.ChannelListener;
import dev.holdfast.pubsub.Subscription;
import dev.holdfast.pubsub.Subscriptions;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two connections to a sentinel: it is asked for the master on one, and reports failovers on the other, which is
 * pinged. Each is opened, again after a pause, until that succeeds; then the driver reconnects.
 *
 * <p>A question without an answer in time ends its connection, so that the next one does not wait behind it.
 */
final class Sentinel implements ChannelListener {
    private static final Logger log = LoggerFactory.getLogger(Sentinel.class);

    private static final String FAILOVERS = "+switch-master";

    /** The name of the master, its old address and its new one: a host and a port each. */
    private static final int WORDS = 5;

    private static final String PORT = "\\d{1,5}";

    private final RedisURI uri;
    private final Sentinels group;
    private final Subscriptions channels;

    /** The connection for questions, or the attempt to make it. */
    private volatile CompletableFuture<NodeConnection> questions = new CompletableFuture<>();

    private volatile boolean closed;

    Sentinel(RedisURI uri, Sentinels group) {
        this.uri = uri;
        this.group = group;
        this.channels = group.driver().unconnected();
    }

    /** {@return its address, for messages} */
    String place() {
        return Opening.place(uri);
    }

    /** {@return why it does not answer} */
    String why(Throwable failure) {
        return Opening.why(uri, failure);
    }

    /** Begins to open the connections. */
    void open() {
        connect(questions);
        Subscription failovers = channels.subscribe(FAILOVERS, this);
        listen(failovers);
        failovers.confirmed().whenComplete((confirmed, refusal) -> noteRefusal(refusal));
        subscribe();
    }

    /** A subscription with a waiter is pinged. The message itself is received by the listener. */
    private void listen(Subscription failovers) {
        failovers.acquire().onWakeup((wakeup, end) -> {
            if (end == null) {
                failovers.drain();
                listen(failovers);
            }
        });
    }

    private void noteRefusal(@Nullable Throwable refusal) {
        if (refusal != null && !closed) {
            log.warn(
                    "The sentinel at {} reports no failovers, which are noticed later therefore; it has to grant"
                            + " +subscribe &{}: {}",
                    place(),
                    FAILOVERS,
                    refusal.getMessage());
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a failure is followed by another attempt
    private void subscribe() {
        if (!closed) {
            group.driver().open(channels, uri).whenComplete((used, failure) -> {
                if (failure != null) {
                    group.afterReconnectDelay(this::subscribe);
                }
            });
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // both outcomes are processed
    private void connect(CompletableFuture<NodeConnection> attempt) {
        group.driver().connect(uri).whenComplete((made, failure) -> {
            if (failure != null) {
                log.debug("cannot connect to the sentinel at {}", place(), failure);
                attempt.completeExceptionally(failure);
                group.afterReconnectDelay(() -> connectAgain(attempt));
            } else {
                attempt.complete(made);
                closeLate(made);
            }
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a connection that cannot be closed is closed with the driver
    private void closeLate(NodeConnection made) {
        if (closed) {
            made.closeAsync();
        }
    }

    private void connectAgain(CompletableFuture<NodeConnection> failed) {
        CompletableFuture<NodeConnection> next = null;
        synchronized (this) {
            if (questions == failed && !closed) {
                next = new CompletableFuture<>();
                questions = next;
            }
        }
        if (next != null) {
            connect(next);
        }
    }

    /**
     * {@return the address of the master with this name; null if the sentinel knows none}
     *
     * @param atMost how long it may take, after which the stage fails
     */
    @SuppressWarnings("FutureReturnValueIgnored") // both outcomes are processed
    CompletionStage<@Nullable NodeAddress> ask(String master, Duration atMost) {
        CompletableFuture<NodeConnection> asked = questions;
        CompletableFuture<@Nullable NodeAddress> answer = new CompletableFuture<>();
        asked.thenCompose(connection -> connection.masterAddress(master)).whenComplete((reply, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
            } else {
                answer.complete(address(reply));
            }
        });
        group.session().after(atMost, () -> {
            if (answer.completeExceptionally(new TimeoutException("no answer within " + atMost.toMillis() + " ms"))
                    && asked.isDone()
                    && !asked.isCompletedExceptionally()) {
                asked.join().closeAsync();
                connectAgain(asked);
            }
        });
        return answer;
    }

    private static @Nullable NodeAddress address(List<Object> hostAndPort) {
        return hostAndPort.size() == 2
                ? address(hostAndPort.get(0).toString(), hostAndPort.get(1).toString())
                : null;
    }

    private static NodeAddress address(String host, String port) {
        return new NodeAddress(host, Integer.parseInt(port));
    }

    /** Failovers that came before were not reported. */
    @Override
    public void confirmed() {
        group.lookUp();
    }

    @Override
    public void message(String message) {
        String[] words = message.split(" ", -1);
        if (words.length == WORDS && words[2].matches(PORT) && words[4].matches(PORT)) {
            group.switched(this, words[0], address(words[1], words[2]), address(words[3], words[4]));
        } else {
            log.warn("Ignored what is no message of a sentinel: {}", message);
        }
    }

    CompletionStage<?> close() {
        synchronized (this) {
            closed = true;
        }
        CompletableFuture<NodeConnection> asked = questions;
        CompletionStage<?> unconnected = CompletableFuture.completedStage(null);
        CompletionStage<?> closing = asked.isDone() && !asked.isCompletedExceptionally()
                ? asked.join().closeAsync()
                : unconnected;
        return CompletableFuture.allOf(channels.closeAsync().toCompletableFuture(), closing.toCompletableFuture());
    }
}

package dev.holdfast.internal.topology;

import dev.holdfast.LockException;
import dev.holdfast.internal.driver.TlsFailure;
import dev.holdfast.internal.session.Blocking;
import dev.holdfast.internal.session.LockExceptions;
import dev.holdfast.internal.session.ServerUris;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Awaits the steps by which a client is opened. The connect timeout bounds them as a whole, from the set-up of the
 * socket to the replies to the first commands.
 */
public final class Opening {
    /** What is said of a connection that was made, and ends before the reply to its first command. */
    private static final Pattern CLOSED = Pattern.compile("Connection (closed prematurely|reset)");

    private final Duration connectTimeout;

    /** Fails when what is opened is wanted no more. */
    private final CompletableFuture<?> abandoned = new CompletableFuture<>();

    /** By {@link System#nanoTime}; set once the connects have begun. */
    private long untilNanos;

    Opening(Duration connectTimeout) {
        this.connectTimeout = connectTimeout;
    }

    /**
     * The connects have begun. Not to be called earlier: until then the calling thread itself used the time, perhaps to
     * load the driver's classes.
     */
    void begun() {
        untilNanos = System.nanoTime() + connectTimeout.toNanos();
    }

    /** What is opened is wanted no more: steps that are awaited fail, now or later. Called on another thread. */
    void abandon() {
        abandoned.completeExceptionally(new IOException("the client was closed"));
    }

    /**
     * {@return the result of a step}
     *
     * @param at for the message of the {@link LockException} if there is none in time, or the step fails
     */
    <T extends @Nullable Object> T await(CompletionStage<T> step, RedisURI at) {
        return await(step, why -> cannotConnect(at, why));
    }

    /**
     * {@return the result of a step}
     *
     * @param explained creates the exception if there is none in time, or the step fails with another one
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the failure is passed on
    <T extends @Nullable Object> T await(CompletionStage<T> step, Function<Throwable, LockException> explained) {
        CompletableFuture<T> bounded = step.toCompletableFuture().copy();
        abandoned.whenComplete((never, why) -> bounded.completeExceptionally(why));
        Blocking.atMost(bounded, Duration.ofNanos(untilNanos - System.nanoTime()));
        bounded.completeExceptionally(new TimeoutException("no answer within the connect timeout, " + connectTimeout));
        try {
            return bounded.join();
        } catch (CompletionException e) {
            Throwable why = e.getCause() == null ? e : e.getCause();
            throw why instanceof LockException ? LockExceptions.seenFromHere(why) : explained.apply(why);
        }
    }

    public static LockException cannotConnect(RedisURI at, Throwable failure) {
        return new LockException("cannot connect to Redis at " + place(at) + ": " + why(at, failure), root(failure));
    }

    /** {@return why a connect to this address failed} */
    public static String why(RedisURI at, Throwable failure) {
        String why = at.isSsl() ? TlsFailure.explain(failure) : reason(root(failure));
        if (CLOSED.matcher(why).find()) {
            return "the connection was closed at HELLO, the first command; is there a proxy before Redis that does not know"
                    + " it, or that has no server? (" + why + ")";
        }
        return why.contains("SELECT is not allowed in cluster mode")
                ? "a node of a cluster has no database but 0, and redisUri names database " + at.getDatabase() + " ("
                        + why + ")"
                : why;
    }

    public static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    /** {@return the message of a failure, or its class if it has none} */
    static String reason(Throwable why) {
        String message = why.getMessage();
        return message == null ? why.getClass().getSimpleName() : message;
    }

    /** {@return the address of Redis, without the credentials that its URI may have} */
    static String place(RedisURI uri) {
        return uri.getSocket() == null ? ServerUris.address(uri) : uri.getSocket();
    }
}

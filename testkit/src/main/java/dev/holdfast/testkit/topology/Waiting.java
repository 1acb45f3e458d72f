package dev.holdfast.testkit.topology;

import dev.holdfast.testkit.RedisReplyException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/** Waits until nothing is lacking from a state. A query that fails because a server restarts is repeated. */
final class Waiting {
    /**
     * Much longer than anything that a test waits for takes on a busy machine. A sentinel whose timer was late by 2 s does
     * nothing for 30 s (TILT).
     */
    static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final Duration POLL = Duration.ofMillis(10);

    private Waiting() {}

    /**
     * Returns once {@code lacking} returns an empty list.
     *
     * @throws org.awaitility.core.ConditionTimeoutException after a minute, with what was lacking last
     */
    static void until(String state, Callable<List<String>> lacking) {
        Awaitility.await(state)
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL)
                .atMost(TIMEOUT)
                .ignoreExceptionsMatching(
                        failure -> failure instanceof UncheckedIOException || failure instanceof RedisReplyException)
                .untilAsserted(() -> requireNone(state, lacking.call()));
    }

    /** The servers are also used by programs without a library for assertions. */
    private static void requireNone(String state, List<String> lacking) {
        if (!lacking.isEmpty()) {
            throw new AssertionError("lacking for: " + state + ": " + lacking);
        }
    }
}

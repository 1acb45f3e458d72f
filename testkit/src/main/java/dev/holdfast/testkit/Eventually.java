package dev.holdfast.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits for states that other threads, servers and processes bring about, which takes long on a busy machine. */
public final class Eventually {
    /**
     * The limit, which means no more than "not for ever". Shorter than a lease of a client that has the default settings: the
     * end of that would bring about what some tests wait for.
     */
    public static final Duration LIMIT = Duration.ofSeconds(20);

    private static final Duration POLL = Duration.ofMillis(5);

    private Eventually() {}

    public static ConditionFactory await() {
        return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(POLL).atMost(LIMIT);
    }
}

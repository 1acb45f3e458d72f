package dev.holdfast;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;

/**
 * The turn of a client at a lock that no other client is known to wait for. It begins with the first waiter, and at its end
 * the lock is released and not handed off, however late the machine is: a test of a handoff is aborted then.
 */
public final class Turn {
    private static final Duration LONGEST = Duration.ofMillis(300);

    private final long beganNanos = System.nanoTime();

    private Turn() {}

    /** {@return a turn whose first waiter is to join after this call} */
    public static Turn begin() {
        return new Turn();
    }

    public boolean isOver() {
        return FaultyRedis.since(beganNanos).compareTo(LONGEST) >= 0;
    }

    /** Aborts the test if a release that has begun before this call may not have been a handoff. */
    public void assumeNotOver() {
        assumeNotOverUnless(false);
    }

    /** The same, unless the test has reached what handoffs lead to. */
    public void assumeNotOverUnless(boolean reached) {
        assumeTrue(reached || !isOver(), "the machine paused longer than a turn");
    }
}

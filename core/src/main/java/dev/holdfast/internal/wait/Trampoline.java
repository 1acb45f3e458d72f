package dev.holdfast.internal.wait;

import dev.holdfast.internal.hold.LaneCommand;
import java.util.concurrent.Executor;

/**
 * Bounds how deep handoffs nest on one stack. The receiver of a handoff may be notified on the very thread that starts
 * it, and there release a lock of another client, whose receiver does the same, and so on: a call within a call. So
 * from a certain depth on, a handoff starts on another thread.
 *
 * <p>Deferring the handoff on the current thread would not do, since the new owner may block here until its release has
 * ended.
 */
final class Trampoline {
    /** How many handoffs may start within one another before the next one is started on another thread. */
    private static final int DEEPEST = 16;

    /** How many handoffs the current thread is starting, each within the one before. */
    private static final ThreadLocal<Integer> DEPTH = ThreadLocal.withInitial(() -> 0);

    private final Executor otherThreads;

    /**
     * @param otherThreads threads that neither a callback, which may block on the handoff, nor the application can
     *     occupy
     */
    Trampoline(Executor otherThreads) {
        this.otherThreads = otherThreads;
    }

    void start(LaneCommand handoff) {
        int depth = DEPTH.get();
        if (depth >= DEEPEST) {
            otherThreads.execute(handoff::start);
            return;
        }
        DEPTH.set(depth + 1);
        try {
            handoff.start();
        } finally {
            DEPTH.set(depth);
        }
    }
}

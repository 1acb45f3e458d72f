package dev.holdfast;

import dev.holdfast.redis.Call;
import java.util.function.Consumer;

/** What the handoffs of all locks have in common. */
final class Handoffs {
    /** How many handoffs may begin within one another before the next is left to another thread. */
    private static final int DEEPEST = 16;

    /** How many handoffs the thread is just starting, each within the one before. */
    private static final ThreadLocal<Integer> DEPTH = ThreadLocal.withInitial(() -> 0);

    private final Engine engine;

    /** The epoch in which a handoff was answered last: there, the server knows the script. */
    private volatile long answeredEpoch;

    Handoffs(Engine engine) {
        this.engine = engine;
    }

    void noteAnswered(Call call) {
        answeredEpoch = call.epochNumber();
    }

    /**
     * {@return whether the next owner may start before the answer, as far as the connection and what is left of the lease are
     * concerned} A grant must not run out only because its answer takes what an answer may take; and one that has a token
     * has it from the answer.
     */
    boolean mayStartEarly(Hold from) {
        return !from.lock().kind().isFenced()
                && answeredEpoch != 0
                && answeredEpoch == engine.link().epochNumber()
                && from.lease().validUntilNanos() - engine.now() > engine.commandTimeoutNanos();
    }

    /**
     * Starts a handoff. The new owner may be told on this very thread, and release a lock of another client there, whose new owner
     * does the same, and so on: a call within a call. So from a certain depth on another thread goes on, one of the client's own,
     * since a callback may block on it, and the application on any that it knows. To put it off on this one would not do, for
     * the new owner may wait here for the end of its release.
     */
    void start(Handoff handoff) {
        int depth = DEPTH.get();
        if (depth >= DEEPEST) {
            engine.callbacks().ownThreads().execute(handoff::start);
            return;
        }
        DEPTH.set(depth + 1);
        try {
            handoff.start();
        } finally {
            DEPTH.set(depth);
        }
    }

    /** A connection is about to take calls; these come first. */
    void opening(Consumer<Call> first) {
        engine.queues().all().forEach(queue -> queue.cohort().repair(first));
    }
}

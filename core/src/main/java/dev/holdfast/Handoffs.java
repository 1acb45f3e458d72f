package dev.holdfast;

import dev.holdfast.redis.Call;
import java.util.function.Consumer;

/**
 * What the handoffs of all locks share: the rule for an early start, a bound on nested starts, and the repair of the
 * chains.
 */
final class Handoffs {
    /** How many handoffs may start within one another before the next one is started on another thread. */
    private static final int DEEPEST = 16;

    /** How many handoffs the current thread is starting, each within the one before. */
    private static final ThreadLocal<Integer> DEPTH = ThreadLocal.withInitial(() -> 0);

    private final Engine engine;

    /** The epoch in which a handoff was last answered: in that epoch, the server knows the script. */
    private volatile long answeredEpoch;

    Handoffs(Engine engine) {
        this.engine = engine;
    }

    void noteAnswered(Call call) {
        answeredEpoch = call.epochNumber();
    }

    /**
     * {@return whether the receiver may start before the reply, as far as the connection and the rest of the lease are
     * concerned} A grant must not run out merely because its reply takes as long as a reply may take; and a hold with a
     * token receives the token with the reply.
     */
    boolean mayStartEarly(Hold from) {
        return !from.lock().kind().isFenced()
                && answeredEpoch != 0
                && answeredEpoch == engine.link().epochNumber()
                && from.lease().validUntilNanos() - engine.now() > engine.commandTimeoutNanos();
    }

    /**
     * Starts a handoff. The receiver may be notified on this very thread, and there release a lock of another client,
     * whose receiver does the same, and so on: a call within a call. So from a certain depth on, the handoff starts on
     * another thread. That is a thread of the client's own, since a callback may block on the handoff, and the
     * application may block any thread that it knows. Deferring the handoff on the current thread would not do, since
     * the new owner may block here until its release has ended.
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

    /** A connection is about to accept calls; the repairs of the chains come first. */
    void opening(Consumer<Call> first) {
        engine.queues().all().forEach(queue -> queue.cohort().repair(first));
    }
}

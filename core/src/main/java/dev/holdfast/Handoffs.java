package dev.holdfast;

import dev.holdfast.redis.Call;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the handoffs of all locks have in common. */
final class Handoffs {
    /** Handoffs that a thread came upon while it was starting another. */
    private static final ThreadLocal<@Nullable Deque<Handoff>> UNDER_WAY = new ThreadLocal<>();

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
     * concerned} A grant must not run out only because its answer takes what an answer may take.
     */
    boolean mayStartEarly(Hold from) {
        return answeredEpoch != 0
                && answeredEpoch == engine.link().epochNumber()
                && from.lease().validUntilNanos() - engine.now() > engine.commandTimeoutNanos();
    }

    /**
     * Starts a handoff. Its new owner may release on this very thread, and so on: that would be a call within a call for each
     * waiter, so what comes while one is being started is started after it.
     */
    void start(Handoff handoff) {
        Deque<Handoff> pending = UNDER_WAY.get();
        if (pending != null) {
            pending.add(handoff);
            return;
        }
        pending = new ArrayDeque<>(1);
        UNDER_WAY.set(pending);
        try {
            for (Handoff next = handoff; next != null; next = pending.poll()) {
                next.start();
            }
        } finally {
            UNDER_WAY.remove();
        }
    }

    /** A connection is about to take calls; these come first. */
    void opening(Consumer<Call> first) {
        engine.queues().all().forEach(queue -> queue.ours().repair(first));
    }
}

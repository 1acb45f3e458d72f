package dev.holdfast.internal.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which writes of one connection enough replicas have. {@code WAIT} says so for all that was written before it on its
 * own connection, and blocks the connection until then. So at most one is in flight, and each covers the writes that
 * were answered before it was sent (<em>group commit</em>): the more there are, the larger the group.
 *
 * <pre>
 *               a write is to be awaited                  answered, nothing awaited
 *   IDLE ------------------------------------> WAITING ------------------------------> IDLE
 *                                                |  ^
 *                                                +--+ answered: the next WAIT, for the writes since
 * </pre>
 *
 * <p>If too few replicas have confirmed in time, Redis has the writes nevertheless: a {@code WAIT} undoes nothing.
 */
final class ReplicaAcks {
    /** Receives why writes do not count as replicated, or null if they do. */
    interface Answer extends Consumer<@Nullable Throwable> {}

    private final Consumer<Answer> wait;

    /** Guarded by this. */
    private List<Answer> awaited = new ArrayList<>();

    /** Guarded by this. */
    private boolean waiting;

    /** @param wait sends a WAIT */
    ReplicaAcks(Consumer<Answer> wait) {
        this.wait = wait;
    }

    /**
     * Calls back when it is known whether enough replicas have what was written before.
     *
     * @param then called once, on the thread that has read the reply, or has ended the connection
     */
    void await(Answer then) {
        synchronized (this) {
            awaited.add(then);
            if (waiting) {
                return;
            }
            waiting = true;
        }
        next();
    }

    private void next() {
        List<Answer> covered;
        synchronized (this) {
            covered = awaited;
            awaited = new ArrayList<>();
            waiting = !covered.isEmpty();
        }
        if (!covered.isEmpty()) {
            wait.accept(why -> {
                next();
                covered.forEach(then -> then.accept(why));
            });
        }
    }
}

package dev.holdfast.internal.topology;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queries which node is the master, when something is wrong with the one that is known, and as often as necessary.
 *
 * <pre>
 *            soon                     answered by one, or by none
 *   RESTING ------> ASKING --------------------------------------------> PAUSING ---- the pause is over,
 *      ^              | ^                                                  |  |       and soon was called, or
 *      |         soon | | (asks again after the pause)                     |  |       a master is not connected
 *      |              v |                                                  |  +-----> ASKING
 *      |          ASKING AGAIN                                             |
 *      +------------------------------------------ the pause is over ------+
 * </pre>
 *
 * <p>So it asks at most once in a {@link #PAUSE}, however many commands are not executed.
 */
abstract class LookUp {
    private static final Logger log = LoggerFactory.getLogger(LookUp.class);

    private static final Duration PAUSE = Duration.ofMillis(100);

    /** How long a node may take to answer, which may be paused, or cut off. */
    static final Duration LONGEST = Duration.ofMillis(500);

    private enum State {
        RESTING,
        /** A look-up or the pause after it is in progress. */
        BUSY,
        /** The same, and it is to be repeated. */
        AGAIN
    }

    private final NodeGroup group;
    private final AtomicReference<State> state = new AtomicReference<>(State.RESTING);

    LookUp(NodeGroup group) {
        this.group = group;
    }

    /** Asks, now or after the pause, on another thread: the caller may hold any monitor. */
    final void soon() {
        State before = state.getAndUpdate(now -> now == State.RESTING ? State.BUSY : State.AGAIN);
        if (before == State.RESTING) {
            group.soon(this::begin);
        }
    }

    /**
     * {@return completes, normally or not, when there is an answer, which is known to the group then, or none} It must
     * complete, whatever happens to the master that is named: there is no other look-up before.
     */
    abstract CompletionStage<?> ask();

    @SuppressWarnings("FutureReturnValueIgnored") // without an answer, it asks again
    private void begin() {
        if (!group.isClosed()) {
            asked().whenComplete((answer, failure) -> group.session().after(PAUSE, this::paused));
        }
    }

    /** Whatever happens, the pause follows: otherwise nothing would ever be looked up again. */
    private CompletionStage<?> asked() {
        try {
            return ask();
        } catch (RuntimeException e) {
            log.warn("The look-up of the masters has failed", e);
            return CompletableFuture.failedStage(e);
        }
    }

    private void paused() {
        boolean again = state.getAndSet(State.BUSY) == State.AGAIN;
        if (again || group.isTroubled() || !state.compareAndSet(State.BUSY, State.RESTING)) {
            begin();
        }
    }
}

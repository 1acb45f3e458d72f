package dev.holdfast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A contended lock while it is this client's: which of its owners has it, how it came from one to the next, and for how
 * long it may stay. Guarded by the {@link WaitQueue}.
 */
final class Possession {
    private final Engine engine;
    private final Audience audience;
    private final Chain chain = new Chain();
    private final Turn turn = new Turn();

    /** Who has the lock and has not begun to give it back; null also for one who had it before anybody waited. */
    private @Nullable Hold holder;

    Possession(Engine engine, LockKey lock) {
        this.engine = engine;
        this.audience = new Audience(engine, lock);
    }

    Chain chain() {
        return chain;
    }

    Turn turn() {
        return turn;
    }

    /** {@return the owner of this client who has the lock, unless it is this one or its lease has run out} */
    @Nullable
    Hold holderBefore(long ownerId) {
        Hold known = holder;
        return known != null
                        && known.lane().ownerId() != ownerId
                        && known.lease().isRunning()
                ? known
                : null;
    }

    /** An owner of this client is about to have the lock. */
    void begin(Hold hold) {
        if (holder != hold && !hold.isHandedOn()) {
            turn.begin(engine.now());
        }
        holder = hold;
    }

    /** The owner does not have it any more, or begins to give it back. False if another has it. */
    boolean end(Hold hold) {
        boolean known = holder == hold;
        if (known) {
            holder = null;
        }
        return known;
    }

    /** {@return whether the lock is to be released for others, who then come first} */
    boolean yieldsToOthers() {
        return turn.yields(engine.now(), audience.others());
    }

    /** {@return whether the next owner may start before the answer} */
    boolean mayStartEarly(Hold from) {
        return chain.mayGrow() && engine.handoffs().mayStartEarly(from);
    }

    /** Asks who else wants the lock, if that is not known; not under the monitor. */
    void lookAround() {
        audience.refresh(engine.now());
    }

    /** {@return whether nobody here has the lock, as far as the queue knows, and no handoff is without an answer} */
    boolean isOver() {
        return holder == null && chain.isEmpty();
    }

    /** Nothing will be answered any more. */
    void abandon() {
        holder = null;
        List.copyOf(chain.unanswered()).forEach(chain::remove);
    }
}

package dev.holdfast.internal.hold;

/**
 * Interrupts the owner thread of a hold when the hold is lost: at most once, and not after the hold was released.
 *
 * <pre>
 *             accepted()          lost()
 *   OFFERED ----------> OWNED -------------> OVER, interrupted
 *      |                  |
 *      | lost()           +--- cancel() ---> OVER, never interrupted
 *      v
 *   LOST_EARLY ------------- accepted() ---> OVER, interrupted
 * </pre>
 *
 * <p>OFFERED is a hold whose thread has not accepted it: the thread may have given up waiting and be doing something
 * else. {@link #cancel} is called when the hold is released, or when an exception reports the loss to its thread. It
 * leads to OVER from every state.
 *
 * <p>The thread is interrupted under the monitor, and that is the handshake: when {@link #cancel} returns, an interrupt
 * that was in progress has been delivered, and none will follow. A compare-and-set instead would need a state in which
 * the interrupt is in progress, and a thread that spins until it is not.
 *
 * <p>A thread that causes the loss itself, by closing the client, does not interrupt itself.
 */
final class LossInterrupt {
    private enum State {
        OFFERED,
        LOST_EARLY,
        OWNED,
        OVER
    }

    private final Thread owner;

    /** Guarded by this. */
    private State state = State.OFFERED;

    LossInterrupt(Thread owner) {
        this.owner = owner;
    }

    /** The thread has accepted the hold. */
    synchronized void accepted() {
        if (state == State.LOST_EARLY) {
            interrupt();
        } else if (state == State.OFFERED) {
            state = State.OWNED;
        }
    }

    /** The hold is lost. */
    synchronized void lost() {
        if (state == State.OWNED) {
            interrupt();
        } else if (state == State.OFFERED) {
            state = State.LOST_EARLY;
        }
    }

    /** The thread is not interrupted for this hold once this has returned. */
    synchronized void cancel() {
        state = State.OVER;
    }

    private void interrupt() {
        state = State.OVER;
        if (owner != Thread.currentThread()) {
            owner.interrupt();
        }
    }
}

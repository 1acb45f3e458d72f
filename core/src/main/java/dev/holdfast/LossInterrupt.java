package dev.holdfast;

/**
 * The interrupt that a thread gets when a hold of it is lost, at most one, and none for what it has given back.
 *
 * <pre>
 *             taken()             lost()
 *   OFFERED ----------> OWNED -------------> OVER, interrupted
 *      |                  |
 *      | lost()           +--- spare() ----> OVER, and never to be
 *      v
 *   LOST EARLY ------------- taken() ------> OVER, interrupted
 * </pre>
 *
 * <p>OFFERED is a hold that its thread may still turn out not to want: it has given up waiting, and does something else. What
 * is spared is given back, or its thread is being told of the loss by an exception.
 *
 * <p>The thread is interrupted under the monitor, and that is the handshake: whoever comes back from {@link #cancel} knows that
 * an interrupt which was on its way has arrived, and that none will. A compare-and-set instead would need a state in which
 * the interrupt is on its way, and a thread that spins until it is not.
 *
 * <p>A thread that finds the loss itself, by closing the client, is not interrupted by itself.
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

    /** The thread has the hold. */
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

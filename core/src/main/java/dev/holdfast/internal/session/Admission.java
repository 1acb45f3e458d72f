package dev.holdfast.internal.session;

/**
 * Whether a client still grants locks.
 *
 * <pre>
 *          the client begins to close          the grace period is over
 *   OPEN ----------------------------> GRACE ---------------------------> CLOSED
 *   every acquire                      re-entries only                    none
 * </pre>
 *
 * <p>Written by the thread that closes the client; read by all.
 */
public final class Admission {
    private enum State {
        OPEN,
        GRACE,
        CLOSED
    }

    private volatile State state = State.OPEN;

    /** Only re-entries are granted from now on. */
    public void beginGrace() {
        if (state == State.OPEN) {
            state = State.GRACE;
        }
    }

    /** Nothing is granted any more, not even a re-entry. */
    public void close() {
        state = State.CLOSED;
    }

    /** {@return whether the client grants re-entries only, or nothing at all} */
    public boolean isClosing() {
        return state != State.OPEN;
    }

    /** {@return whether an acquire is refused: a re-entry only after the grace period} */
    public boolean refuses(boolean reentry) {
        return reentry ? state == State.CLOSED : isClosing();
    }

    /**
     * Throws if nothing is granted any more.
     *
     * @throws IllegalStateException if the client is closed
     */
    public void requireNotClosed() {
        if (state == State.CLOSED) {
            throw clientIsClosed();
        }
    }

    public static IllegalStateException clientIsClosed() {
        return new IllegalStateException("this Holdfast client is closed");
    }
}

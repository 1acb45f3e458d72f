package dev.holdfast.testkit;

import java.time.Duration;

/**
 * The state of one direction of a connection.
 *
 * @param delay a temporary fault
 * @param distance the permanent latency, not a fault
 */
record Passage(Gate gate, Duration delay, Duration distance) {
    static final Passage CLEAR = new Passage(Gate.OPEN, Duration.ZERO, Duration.ZERO);

    /** The treatment of bytes that arrive. */
    enum Gate {
        /** They are forwarded. */
        OPEN,
        /** They are held, as for retransmission; if the sender is reset before that, they are lost. */
        BLACK_HOLE,
        /** They are held and then delivered whatever happens to the sender. */
        HOLD,
        /** They are lost. */
        DROP
    }

    Passage with(Gate changed) {
        return new Passage(changed, delay, distance);
    }

    Passage with(Duration changed) {
        if (changed.isNegative()) {
            throw new IllegalArgumentException("delay must not be negative, was " + changed);
        }
        return new Passage(gate, changed, distance);
    }

    Passage atDistance(Duration changed) {
        if (changed.isNegative()) {
            throw new IllegalArgumentException("distance must not be negative, was " + changed);
        }
        return new Passage(gate, delay, changed);
    }

    /** {@return the same without any fault} */
    Passage healed() {
        return CLEAR.atDistance(distance);
    }

    /** {@return the total latency of what arrives now} */
    Duration lateness() {
        return delay.plus(distance);
    }
}

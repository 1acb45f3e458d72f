package dev.holdfast.testkit;

import java.time.Duration;

/**
 * What one direction of a connection does to what passes through it.
 *
 * @param delay that is a fault, and ends
 * @param distance that is none: how late everything is anyway
 */
record Passage(Gate gate, Duration delay, Duration distance) {
    static final Passage CLEAR = new Passage(Gate.OPEN, Duration.ZERO, Duration.ZERO);

    /** What happens to bytes that have come. */
    enum Gate {
        /** They are forwarded. */
        OPEN,
        /** They wait, as for retransmission; if the sender is reset before that, they are lost. */
        BLACK_HOLE,
        /** They wait and are delivered whatever becomes of the sender. */
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

    /** {@return how late is what comes now} */
    Duration lateness() {
        return delay.plus(distance);
    }
}

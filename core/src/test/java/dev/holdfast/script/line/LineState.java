package dev.holdfast.script.line;

import java.util.ArrayList;
import java.util.List;

/**
 * A lock and the line of clients that wait for it.
 *
 * @param line in the order in which they are granted the lock
 * @param grants since the lock was last left free; 0 if there is no line
 * @param opened when that was, in microseconds; 0 if there is no line. A line of nobody is a line
 */
record LineState(Hold hold, List<Waiter> line, long grants, long opened) {
    static final LineState FREE = new LineState(Hold.NONE, List.of(), 0, 0);

    LineState {
        line = List.copyOf(line);
    }

    /**
     * A hold of the lock.
     *
     * @param owner empty if there is none
     * @param tenure 0 for a hold of Redisson
     * @param hours what is left of its lease, rounded up
     * @param labelled whether the label of its client is shown
     * @param token in the model, the time at which it was drawn; 0 if it has none
     */
    record Hold(String owner, long tenure, int holds, int hours, boolean labelled, long token) {
        static final Hold NONE = new Hold("", 0, 0, 0, false, 0);

        boolean isNone() {
            return owner.isEmpty();
        }

        boolean isOf(String other) {
            return owner.equals(other);
        }

        boolean isSameAs(Hold other) {
            return owner.equals(other.owner) && tenure == other.tenure;
        }

        String client() {
            return isNone() ? "" : LineCommand.clientOf(owner);
        }

        Hold with(int otherHolds, int otherHours) {
            return new Hold(owner, tenure, otherHolds, otherHours, labelled, token);
        }
    }

    /**
     * A client in line.
     *
     * @param hours the lease that it is granted
     */
    record Waiter(String owner, long tenure, int hours) {
        String client() {
            return LineCommand.clientOf(owner);
        }
    }

    boolean isFree() {
        return hold.isNone();
    }

    boolean hasLine() {
        return opened != 0;
    }

    /** {@return the same with that hold} */
    LineState heldBy(Hold next) {
        return new LineState(next, line, grants, opened);
    }

    /** {@return the same with that line} */
    LineState with(List<Waiter> next) {
        return new LineState(hold, next, grants, opened);
    }

    /** {@return the first place of that client, or that of an owner, from 0; -1 if it has none} */
    int placeOf(String unit) {
        for (int i = 0; i < line.size(); i++) {
            if (line.get(i).client().equals(unit) || line.get(i).owner().equals(unit)) {
                return i;
            }
        }
        return -1;
    }

    /** {@return the line without that waiter} */
    List<Waiter> without(Waiter gone) {
        List<Waiter> others = new ArrayList<>(line);
        others.remove(gone);
        return others;
    }
}

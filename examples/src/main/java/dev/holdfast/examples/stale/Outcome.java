package dev.holdfast.examples.stale;

import java.util.ArrayList;
import java.util.List;

/**
 * The result of a run.
 *
 * @param firstToken the token of the holder that was stopped
 * @param secondToken the token of the holder that acquired the lock after it
 * @param firstEnd the outcome of the first holder's unlock
 * @param secondEnd the outcome of the second holder's unlock
 * @param balance the final balance
 */
record Outcome(
        boolean guarded,
        long firstToken,
        long secondToken,
        boolean firstWrote,
        boolean secondWrote,
        String firstEnd,
        String secondEnd,
        int balance) {
    static final int OPENING_BALANCE = 100;
    static final int FIRST_AMOUNT = -30;
    static final int SECOND_AMOUNT = 50;

    /** {@return the expectations that the run did not meet} */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        if (firstToken <= 0 || secondToken <= firstToken) {
            complaints.add("the tokens do not grow: " + firstToken + ", then " + secondToken);
        }
        if (!secondWrote || !secondEnd.equals("released")) {
            complaints.add("the second holder could not write or release: " + secondEnd);
        }
        if (!firstEnd.startsWith("lost")) {
            complaints.add("the unlock of the first holder did not report the loss: " + firstEnd);
        }
        if (firstWrote == guarded) {
            complaints.add(guarded ? "the late write was not refused" : "the late write was refused without a guard");
        }
        int expected = guarded ? OPENING_BALANCE + SECOND_AMOUNT : OPENING_BALANCE + FIRST_AMOUNT;
        if (balance != expected) {
            complaints.add("the balance is " + balance + " and not " + expected);
        }
        return complaints;
    }

    /** {@return the conclusion, if all expectations are met} */
    String verdict() {
        return guarded
                ? "the late write was refused, and the write of the second holder is kept."
                : "the late write was accepted, and the write of the second holder is lost.";
    }
}

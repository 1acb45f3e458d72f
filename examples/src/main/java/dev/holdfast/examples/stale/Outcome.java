package dev.holdfast.examples.stale;

import java.util.ArrayList;
import java.util.List;

/**
 * What came of a run.
 *
 * @param firstToken the token of the holder that was stopped
 * @param secondToken the token of the one that took over
 * @param firstEnd what its unlock told the first
 * @param secondEnd what its unlock told the second
 * @param balance what is left on the account
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

    /** {@return what is not as it is to be shown, in words} */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        if (firstToken <= 0 || secondToken <= firstToken) {
            complaints.add("the tokens do not grow: " + firstToken + ", then " + secondToken);
        }
        if (!secondWrote || !secondEnd.equals("released")) {
            complaints.add("the second, which held the lock, could not do its work: " + secondEnd);
        }
        if (!firstEnd.startsWith("lost")) {
            complaints.add("the first was not told that it had lost the lock: " + firstEnd);
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

    /** {@return what it shows, if there is nothing to complain of} */
    String verdict() {
        return guarded
                ? "the late write was refused, and the one in between stands."
                : "the late write went through, and the one in between is lost.";
    }
}

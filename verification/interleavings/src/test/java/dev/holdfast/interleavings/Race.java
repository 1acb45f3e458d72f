package dev.holdfast.interleavings;

import org.openjdk.jcstress.infra.results.L_Result;

/**
 * The actions of two real threads that begin together, and the condition that must hold when both have ended. Created
 * anew for each run. Each scenario is a class that passes the threads on to its race, because jcstress reads their
 * methods from that class, and allows it no superclass.
 */
public final class Race {
    private final Runnable one;
    private final Runnable other;
    private final Runnable check;

    public Race(Runnable one, Runnable other, Runnable check) {
        this.one = one;
        this.other = other;
        this.check = check;
    }

    public void one() {
        one.run();
    }

    public void other() {
        other.run();
    }

    /** Records whether the condition holds. */
    public void check(L_Result result) {
        result.r1 = Verdict.KEPT;
        try {
            check.run();
        } catch (AssertionError e) {
            result.r1 = e.getMessage();
        }
    }
}

package dev.holdfast.interleavings;

import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.infra.results.L_Result;

/** What a scenario on real threads came to: that all is as promised, or what is not. */
@Outcome(id = Verdict.KEPT, expect = Expect.ACCEPTABLE, desc = "as promised")
@Outcome(expect = Expect.FORBIDDEN, desc = "a promise broken")
public final class Verdict {
    static final String KEPT = "kept";

    private Verdict() {}

    /** Looks when all threads have ended. */
    public static void of(L_Result result, Runnable look) {
        result.r1 = KEPT;
        try {
            look.run();
        } catch (AssertionError e) {
            result.r1 = e.getMessage();
        }
    }
}

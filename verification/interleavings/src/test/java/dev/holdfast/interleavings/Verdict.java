package dev.holdfast.interleavings;

import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.Outcome;

/** The result of a {@link Race}: all properties hold, or the first that does not. */
@Outcome(id = Verdict.KEPT, expect = Expect.ACCEPTABLE, desc = "as promised")
@Outcome(expect = Expect.FORBIDDEN, desc = "a promise broken")
public final class Verdict {
    static final String KEPT = "kept";

    private Verdict() {}
}

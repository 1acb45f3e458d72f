package dev.holdfast.interleavings;

import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.Outcome;

/** The result of a {@link Race}: all properties hold, or the first that does not. */
@Outcome(id = Verdict.KEPT, expect = Expect.ACCEPTABLE, desc = "all properties hold")
@Outcome(expect = Expect.FORBIDDEN, desc = "a property is violated")
public final class Verdict {
    static final String KEPT = "kept";

    private Verdict() {}
}

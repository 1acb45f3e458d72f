package dev.holdfast.interleavings;

import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.Outcome;

/** What a {@link Race} came to: that all is as promised, or else what is not. */
@Outcome(id = Verdict.KEPT, expect = Expect.ACCEPTABLE, desc = "as promised")
@Outcome(expect = Expect.FORBIDDEN, desc = "a promise broken")
public final class Verdict {
    static final String KEPT = "kept";

    private Verdict() {}
}

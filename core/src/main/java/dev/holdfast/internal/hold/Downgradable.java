package dev.holdfast.internal.hold;

import dev.holdfast.LossReason;
import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.redis.Call;

/**
 * What somebody reads under a write hold for, and takes the place of its last release if one still reads then: a command that turns
 * it into a read hold, in one step.
 */
public interface Downgradable {
    /** {@return whether one still reads, now that the last level is being released} If so, the methods below are called. */
    boolean begin();

    /** {@return the command; the same one each time} */
    Call call(Claim from, Call.Callback caller);

    /** {@return the lease that the command requests} */
    long leaseNanos();

    /** This home has executed the command. */
    void held(Home by);

    /** There is no read hold for this reason; or Redis may have one, and has not answered. */
    void failed(LossReason reason);

    /** The write hold has been lost before its release. */
    void lost(LossReason reason);
}

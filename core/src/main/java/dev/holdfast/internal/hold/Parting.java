package dev.holdfast.internal.hold;

import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.redis.Call;

/** What an owner leaves to do for the end of its hold. It is sent in front of the release, the handoff or the downgrade. */
public interface Parting {
    /**
     * {@return the call that is sent} Once, and not again if that is not answered.
     *
     * @param to the home that it is sent to
     * @param hold that of the owner
     */
    Call call(Home to, Claim hold);

    /** The hold was lost before it was released: nothing is sent. */
    void lost();
}

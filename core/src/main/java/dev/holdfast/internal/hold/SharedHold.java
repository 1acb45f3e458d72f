package dev.holdfast.internal.hold;

import dev.holdfast.LossReason;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One hold in Redis that several owners of this client have together. Each of them has a hold of its own, which is a part of the
 * shared one: commands about it are about that.
 *
 * @param <H> the holds of those that share it
 */
public interface SharedHold<H> {
    /** {@return the hold that Redis knows} */
    H hold();

    /** One of those that share it is lost; further calls for the same one have no effect. */
    void lost(H part, LossReason reason);

    /**
     * One of those that share it is released; further calls for the same one have no effect.
     *
     * @param inDoubt whether that one did not count as valid, although it was not known to be lost
     * @return completes when Redis has released it, if this was the last one; if others remain, at once, or once Redis has
     *     confirmed that it is held, if that is in doubt
     */
    CompletableFuture<@Nullable Void> leave(H part, boolean inDoubt);

    /** The same for one that no caller wants: nobody waits for the release. */
    @SuppressWarnings("FutureReturnValueIgnored")
    default void leaveUnawaited(H part) {
        leave(part, false);
    }
}

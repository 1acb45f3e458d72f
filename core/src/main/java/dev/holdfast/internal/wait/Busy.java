package dev.holdfast.internal.wait;

import dev.holdfast.internal.kind.Enlistment;
import dev.holdfast.internal.node.Home;
import org.jspecify.annotations.Nullable;

/**
 * An attempt found the lock busy.
 *
 * @param home the home of the lock that the attempt was sent to
 * @param leftMillis how long the holder's lease lasts without renewal
 * @param tenure of the attempt
 * @param sentNanos when the attempt was sent, by the monotonic clock
 * @param sentWallMillis the same by the wall clock, if it asked for a place
 * @param place whether the client has a place in line for that tenure; null if the attempt did not ask for one
 */
public record Busy(
        Home home,
        long leftMillis,
        long tenure,
        long sentNanos,
        long sentWallMillis,
        @Nullable Enlistment place) {
    /** {@return whether the client has a place in line} */
    boolean isInLine() {
        return place != null && place.isInLine();
    }
}

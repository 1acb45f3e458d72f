package dev.holdfast.internal.node;

import dev.holdfast.internal.redis.Call;

/** What the replies to the handoffs on a Redis node show: that the server knows the script, and how far away it is. */
public final class HandoffReplies {
    /** A new round trip counts as much in the average. */
    private static final int PART = 8;

    /** The epoch in which a handoff was last answered: in that epoch, the server knows the script. */
    private volatile long epoch;

    /** The moving average of the round trips of that epoch. An update that is lost in a race does not matter. */
    private volatile long roundTripNanos;

    /** A handoff was answered. */
    public void note(Call handoff, long now) {
        long latest = now - handoff.sentNanos();
        boolean known = epoch == handoff.epochNumber();
        roundTripNanos = known ? roundTripNanos + (latest - roundTripNanos) / PART : latest;
        epoch = handoff.epochNumber();
    }

    /** {@return whether the last of them was in this epoch; false for 0, which is none} */
    public boolean includeEpoch(long number) {
        return number != 0 && number == epoch;
    }

    /** {@return the average time until a reply} */
    public long roundTripNanos() {
        return roundTripNanos;
    }
}

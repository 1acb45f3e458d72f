package dev.holdfast.internal.latch;

import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.node.Query;
import dev.holdfast.internal.redis.Call;

/** A look at a latch. It also renews the life of its keys, unless that has an end of its own. */
final class Look extends Query<LatchState> {
    private final LatchKey latch;

    /** When the call was sent that was answered. */
    private volatile long sentNanos;

    Look(Latches latches, LatchKey latch, long longestNanos) {
        super(latches.session(), latches.homes(), latch, true, longestNanos);
        this.latch = latch;
    }

    @Override
    protected Call call(Home home) {
        return LatchScripts.look(latch, this);
    }

    @Override
    protected void answered(Call call) {
        sentNanos = call.sentNanos();
        complete(LatchState.of(call));
    }

    /** {@return when the call was sent that was answered; only for an answer} */
    long sentNanos() {
        return sentNanos;
    }
}

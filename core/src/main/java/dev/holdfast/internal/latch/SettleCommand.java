package dev.holdfast.internal.latch;

import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.redis.Call;

/** Sends a latch's new home what precedes each command about it, and besides that only looks. */
final class SettleCommand extends LatchCommand {
    SettleCommand(Latches latches, LatchKey latch) {
        super(latches, latch);
    }

    @Override
    Call own(long number) {
        return LatchScripts.look(latch(), this);
    }

    @Override
    void done(Call call, Home by) {
        complete(0L);
    }
}

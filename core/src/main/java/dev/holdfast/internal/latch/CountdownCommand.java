package dev.holdfast.internal.latch;

import dev.holdfast.internal.latch.LatchScripts.Countdown;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.session.Arguments;
import java.util.List;

/** The countdowns of one or several callers. */
final class CountdownCommand extends LatchCommand {
    /** Changed by the lane only before it is sent. */
    private long by;

    CountdownCommand(Latches latches, LatchKey latch, long by) {
        super(latches, latch);
        this.by = by;
    }

    /** Counts down for another caller as well. */
    void add(CountdownCommand other) {
        by = Math.min(by + other.by, Arguments.MOST_COUNTED);
    }

    @Override
    Call own(long number) {
        return LatchScripts.countDown(latch(), clientId(), List.of(new Countdown(number, by, 0)), this);
    }

    @Override
    void done(Call call, Home by) {
        long generation = LatchScripts.result(call);
        if (generation > 0) {
            latches().recent().add(by, latch(), new Countdown(number(), this.by, generation));
        }
        super.done(call, by);
    }
}

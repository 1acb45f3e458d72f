package dev.holdfast.internal.latch;

import dev.holdfast.internal.latch.LatchScripts.Countdown;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.node.Query;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.session.Session;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A command that changes a latch. It has one number, however often it is sent. A lane sends one at a time, so each step here
 * happens after the one before.
 *
 * <p>A node that may lack countdowns which another has acknowledged is sent these first: its script would take them for late
 * ones after a newer number.
 */
abstract class LatchCommand extends Query<Long> {
    private final Latches latches;
    private final LatchKey latch;
    private final Session session;

    /** Drawn when it is sent first, so that numbers grow in the order of the lane; 0 before. */
    private long number;

    /** The home that it was sent to last. */
    private @Nullable Home sentTo;

    /** Whether the call that was sent last is that of earlier countdowns. */
    private boolean precedes;

    LatchCommand(Latches latches, LatchKey latch) {
        super(latches.session(), latches.homes(), latch, true, latches.session().outageNanos());
        this.latches = latches;
        this.latch = latch;
        this.session = latches.session();
    }

    /** {@return the call of this command} */
    abstract Call own(long number);

    /** It was executed by this home. */
    void done(Call call, Home by) {
        String refusal = LatchScripts.refusal(call);
        if (refusal != null) {
            latches.unpublished(latch, refusal, by);
        }
        complete(LatchScripts.result(call));
    }

    final LatchKey latch() {
        return latch;
    }

    final Latches latches() {
        return latches;
    }

    final long number() {
        return number;
    }

    final String clientId() {
        return session.owners().clientId();
    }

    @Override
    protected final Call call(Home home) {
        sentTo = home;
        List<Countdown> missed = latches.recent().missedBy(home, latch);
        precedes = !missed.isEmpty();
        if (precedes) {
            return LatchScripts.countDown(latch, clientId(), missed, this);
        }
        if (number == 0) {
            number = session.nextTenure();
        }
        return own(number);
    }

    @Override
    protected final void answered(Call call) {
        Home by = Objects.requireNonNull(sentTo);
        if (precedes) {
            latches.recent().settled(by, latch);
            send();
        } else {
            done(call, by);
        }
    }

    @Override
    protected RuntimeException unanswered(long waitedNanos, @Nullable Throwable cause) {
        return session.exceptions().changeUnanswered(latch, waitedNanos, cause);
    }
}

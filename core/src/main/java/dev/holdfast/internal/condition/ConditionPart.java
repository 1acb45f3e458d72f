package dev.holdfast.internal.condition;

import dev.holdfast.internal.condition.ConditionScripts.Signal;
import dev.holdfast.internal.hold.Parting;
import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.redis.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an owner signals while it has a lock, and whether it waits then: one command, which is sent in front of the release. Nobody can
 * see the effect of a signal before that.
 *
 * <p>It is sent once. If it is not known to be executed, a signal may be lost, and whether the owner is in the wait set is not known: so
 * all wake. The same goes if the hold is lost before: what its owner has changed under it may be what others wait for.
 */
final class ConditionPart implements Parting, Call.Callback {
    /** How many signals are sent one by one: a hold may have any number, and Redis limits the arguments of a command. */
    private static final int MOST_SINGLE = 100;

    private final Conditions conditions;
    private final ConditionKey key;
    // Written by the owner's thread before it releases, and read by the release.
    private final List<Signal> signals = new ArrayList<>(1);
    private @Nullable ConditionWaiter waiter;
    private @Nullable Home sentTo;

    ConditionPart(Conditions conditions, ConditionKey key) {
        this.conditions = conditions;
        this.key = key;
    }

    /** Those behind {@link #MOST_SINGLE} wake all. Nobody begins to wait between two signals of a hold. */
    void signal(Signal signal) {
        Signal toAll = new Signal(signal.condition(), true);
        if (signals.contains(toAll)) {
            return;
        }
        if (signal.all() || signals.size() >= MOST_SINGLE) {
            signals.removeIf(former -> former.condition().equals(signal.condition()));
            signals.add(toAll);
        } else {
            signals.add(signal);
        }
    }

    void await(ConditionWaiter begun) {
        waiter = begun;
    }

    @Override
    public Call call(Home to, Claim hold) {
        ConditionWaiter waits = waiter;
        sentTo = to;
        return conditions.part(key, to, hold, signals, waits == null ? null : waits.asWait(), this);
    }

    @Override
    public void completed(Call call) {
        ConditionWaiter waits = waiter;
        boolean isDone = call.outcome() == Call.Outcome.ANSWERED && call.number() > 0;
        conditions.noteKnown(Objects.requireNonNull(sentTo), call, isDone);
        if (isDone && waits != null) {
            waits.registered();
        }
        if (isDone) {
            return;
        }
        if (waits != null) {
            waits.doubted(call);
        }
        if (!signals.isEmpty()) {
            conditions.rouseAll(key);
        }
    }

    @Override
    public void lost() {
        ConditionWaiter waits = waiter;
        if (waits != null) {
            waits.lost();
        }
        conditions.rouseAll(key);
    }
}

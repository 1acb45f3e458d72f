package dev.holdfast;

import dev.holdfast.redis.Call;
import org.jspecify.annotations.Nullable;

/**
 * One try to acquire: a first acquire with a tenure of its own, or a re-entry of the hold that the owner has when the try
 * is sent. Never waits for a holder; tells the {@link Acquisition} what it found.
 */
final class Attempt extends Step {
    private final Acquisition acquisition;

    // Of the last command sent; written before it is.
    private @Nullable Hold reentered;
    private long tenure;

    Attempt(Lane lane, Acquisition acquisition) {
        super(lane);
        this.acquisition = acquisition;
    }

    @Override
    void run() {
        if (!acquisition.isPending()) {
            done();
            return;
        }
        Hold held = lane().reentrable();
        reentered = held;
        tenure = held == null ? engine().nextTenure() : held.tenure();
        int holds = held == null ? 1 : held.levels() + 1;
        long leaseMillis = acquisition.lease().millis();
        engine().send(lock().kind().acquire(lock(), lane().ownerField(), tenure, holds, leaseMillis, this));
    }

    @Override
    public void settled(Call call) {
        Hold held = reentered;
        LockAnswer answer = LockAnswer.of(call, tenure);
        switch (answer.kind()) {
            case HELD -> {
                if (held == null) {
                    granted(call.sentNanos());
                } else {
                    entered(held, call.sentNanos());
                }
            }
            case BUSY -> {
                if (held == null) {
                    lane().settledBelow(tenure);
                    done();
                    acquisition.busy(answer.leftMillis());
                } else {
                    lostOnEntry(held, LossReason.TAKEN);
                }
            }
            case GONE, LATE -> {
                if (held == null) {
                    run();
                } else {
                    lostOnEntry(held, LossReason.GONE);
                }
            }
            case REFUSED -> {
                done();
                engine().refusals().explain(call, lane(), acquisition::fail);
            }
            case UNKNOWN -> {
                if (held == null) {
                    lane().unsettled(tenure);
                }
                awaitLink(call);
            }
            case NOT_SENT -> awaitLink(call);
        }
    }

    @Override
    void giveUp(Throwable cause) {
        done();
        acquisition.noAnswer(cause);
    }

    private void granted(long sentNanos) {
        lane().settledBelow(tenure);
        LeaseRequest lease = acquisition.lease();
        Hold hold = new Hold(lane(), tenure, sentNanos, acquisition);
        engine().keep(hold, sentNanos, lease);
        if (!hold.lease().isRunning()) {
            hold.leave(1);
            hold.lease().end();
            lane().unsettled(tenure);
            done();
            acquisition.failAlone(failures().grantedTooLate(lane(), lease));
            return;
        }
        lane().push(hold);
        if (acquisition.grant(hold)) {
            hold.taken();
            engine().notices().acquired(hold);
        } else {
            // The owner's next step must not find a hold that the owner does not know of.
            lane().remove(hold);
            hold.lease().end();
            lane().unsettled(tenure);
        }
        done();
    }

    private void entered(Hold held, long sentNanos) {
        held.lease().confirmed(sentNanos, acquisition.lease().nanos());
        if (!held.lease().isRunning()) {
            lostOnEntry(held, LossReason.EXPIRED);
            return;
        }
        held.enter(acquisition);
        if (!acquisition.grant(held)) {
            engine().releaseUnwanted(held, acquisition.level());
        }
        done();
    }

    private void lostOnEntry(Hold held, LossReason reason) {
        held.lose(reason);
        done();
        acquisition.failAlone(failures().lost(held, held.lossNow(reason)));
    }

    @Override
    public String toString() {
        return "attempt of " + lane();
    }
}

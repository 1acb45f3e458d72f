package dev.holdfast.campaign.worker;

import dev.holdfast.Inside;
import dev.holdfast.Lease;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Told;
import dev.holdfast.campaign.history.What;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** A hold in the hand of its handle. */
final class Handle implements Stay {
    private final Lease lease;
    private final OwnerDiary owner;
    private final Op op;
    private final long fence;
    private final boolean async;

    @SuppressWarnings("FutureReturnValueIgnored") // what is told is recorded, and nobody waits for it
    Handle(Lease lease, OwnerDiary owner, Op op, long fence, boolean async) {
        this.lease = lease;
        this.owner = owner;
        this.op = op;
        this.fence = fence;
        this.async = async;
        lease.lost().thenAccept(loss -> owner.diary().announced(op, Told.HANDLE, Call.loss(loss.reason())));
    }

    @Override
    public String lock() {
        return lease.lockName();
    }

    @Override
    public Op op() {
        return op;
    }

    @Override
    public long fence() {
        return fence;
    }

    @Override
    public boolean isValid() {
        return lease.isValid();
    }

    @Override
    public Set<Told> told() {
        return Set.of(Told.LISTENER, Told.HANDLE);
    }

    @Override
    public void extend(Duration by) {
        Call call = owner.calls(What.EXTEND, lease.lockName(), Optional.of(by));
        try {
            lease.extend(by);
            call.extended();
        } catch (RuntimeException e) {
            call.threw(e);
        }
    }

    @Override
    public void leave() {
        owner.holds().ended(lease.lockName(), Inside.owner(lease));
        owner.leaves(lease.lockName(), 1, call -> {
            if (async) {
                lease.releaseAsync().get();
            } else {
                lease.close();
            }
            call.released(0);
        });
    }
}

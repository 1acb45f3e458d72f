package dev.holdfast;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Records the events that a client publishes. */
public final class RecordedEvents implements LockListener {
    private final List<LeaseLoss> losses = new CopyOnWriteArrayList<>();
    private final List<LockEvent.ReleaseUnconfirmed> unconfirmed = new CopyOnWriteArrayList<>();
    private final AtomicInteger renewals = new AtomicInteger();
    private final AtomicInteger risks = new AtomicInteger();
    private final AtomicInteger orphans = new AtomicInteger();

    @Override
    public void renewed(LockEvent.Renewed event) {
        renewals.incrementAndGet();
    }

    @Override
    public void atRisk(LockEvent.AtRisk event) {
        risks.incrementAndGet();
    }

    @Override
    public void lost(LockEvent.Lost event) {
        losses.add(event.loss());
    }

    @Override
    public void releaseUnconfirmed(LockEvent.ReleaseUnconfirmed event) {
        unconfirmed.add(event);
    }

    @Override
    public void orphanReleased(LockEvent.OrphanReleased event) {
        orphans.incrementAndGet();
    }

    /** {@return the reasons of all losses, in order} */
    public List<LossReason> lost() {
        return losses.stream().map(LeaseLoss::reason).toList();
    }

    public List<LeaseLoss> losses() {
        return losses;
    }

    public List<LockEvent.ReleaseUnconfirmed> unconfirmed() {
        return unconfirmed;
    }

    public int renewals() {
        return renewals.get();
    }

    public int risks() {
        return risks.get();
    }

    /** {@return how many orphaned holds were released} */
    public int orphansReleased() {
        return orphans.get();
    }
}

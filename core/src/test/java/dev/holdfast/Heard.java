package dev.holdfast;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Remembers what a client tells. */
final class Heard implements LockListener {
    private final List<LeaseLoss> losses = new CopyOnWriteArrayList<>();
    private final AtomicInteger renewals = new AtomicInteger();
    private final AtomicInteger risks = new AtomicInteger();
    private final AtomicInteger orphans = new AtomicInteger();

    @Override
    public void renewed(String lock, String owner) {
        renewals.incrementAndGet();
    }

    @Override
    public void atRisk(String lock, String owner, Duration remaining) {
        risks.incrementAndGet();
    }

    @Override
    public void lost(String lock, String owner, LeaseLoss loss) {
        losses.add(loss);
    }

    @Override
    public void orphanCleaned(String lock, String owner) {
        orphans.incrementAndGet();
    }

    /** {@return the reasons of all losses, in order} */
    List<LossReason> lost() {
        return losses.stream().map(LeaseLoss::reason).toList();
    }

    List<LeaseLoss> losses() {
        return losses;
    }

    int renewals() {
        return renewals.get();
    }

    int risks() {
        return risks.get();
    }

    /** {@return how many locks were released that nobody wanted any more} */
    int orphansCleaned() {
        return orphans.get();
    }
}

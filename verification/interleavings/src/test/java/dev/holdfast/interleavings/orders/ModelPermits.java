package dev.holdfast.interleavings.orders;

import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.Sharing;
import dev.holdfast.internal.redis.Call;
import java.util.HashMap;
import java.util.Map;

/**
 * A model of permits in Redis: as many owners as there are permits have one each. It is a kind of lock that several
 * owners can have, and that is not handed off.
 */
final class ModelPermits extends ModelLock {
    private final int permits;

    // Guarded by this.
    private final Map<String, Long> tenures = new HashMap<>();
    private int mostHolders;

    ModelPermits(int permits, Runnable onRelease) {
        super(onRelease);
        this.permits = permits;
    }

    @Override
    public Sharing sharing() {
        return Sharing.COUNTED;
    }

    // --- Owners outside the client.

    synchronized void takeAllForOthers() {
        for (int i = 0; i < permits; i++) {
            tenures.put("other " + i, 1L);
        }
    }

    /** Frees all permits that owners outside the client have; one message says so. */
    void releaseAllOfOthers() {
        synchronized (this) {
            tenures.keySet().removeIf(owner -> owner.startsWith("other"));
        }
        publish();
    }

    synchronized boolean isFree() {
        return tenures.isEmpty();
    }

    /** {@return the greatest number of owners that have had a permit at the same time} */
    synchronized int mostHolders() {
        return mostHolders;
    }

    // --- The scripts.

    private long acquire(Claim claim) {
        if (!tenures.containsKey(owner(claim)) && tenures.size() == permits) {
            return -LEFT_MILLIS;
        }
        long newest = Math.max(claim.tenure(), tenures.getOrDefault(owner(claim), 0L));
        tenures.put(owner(claim), newest);
        mostHolders = Math.max(mostHolders, tenures.size());
        return newest;
    }

    private long release(Claim claim) {
        long found = find(claim);
        if (found == claim.tenure()) {
            tenures.remove(owner(claim));
            publish();
        }
        return found;
    }

    @Override
    long find(Claim claim) {
        long mine = tenures.getOrDefault(owner(claim), 0L);
        return mine >= claim.tenure() ? mine : 0;
    }

    // --- The commands.

    @Override
    public Call acquire(Claim claim, Call.Callback caller) {
        return command("an acquire", caller, () -> one(acquire(claim)));
    }

    @Override
    public Call release(Claim claim, Call.Callback caller) {
        return command("a release", caller, () -> one(release(claim)));
    }
}

package dev.holdfast.interleavings.orders;

import dev.holdfast.internal.kind.Answer;
import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.redis.Call;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * A model of permits in Redis: each owner has as many as it has requested, up to the limit of its request in all, until its lease
 * ends, and a number of its own among those that have some. It is a kind of lock that several owners can have, that counts, and
 * that is not handed off; all that the engine knows of it is in its methods.
 */
class ModelPermits extends ModelLock {
    private final LongSupplier micros;

    private record Held(long tenure, int amount, long number, long untilMillis) {}

    // Guarded by this.
    private final Map<String, Held> holds = new HashMap<>();
    private int mostHeld;

    /**
     * @param micros the server's time
     * @param onRelease publishes a release
     */
    ModelPermits(LongSupplier micros, Runnable onRelease) {
        super(onRelease);
        this.micros = micros;
    }

    /** On the channel of the other locks, though they are not one lock: so it is not the channel that says which are. */
    @Override
    public String identity() {
        return "model permits";
    }

    @Override
    public String key(String name) {
        return "permits:" + name;
    }

    @Override
    public boolean admitsSeveral() {
        return true;
    }

    // --- Owners outside the client.

    synchronized void takeForOthers(int permits) {
        for (int i = 0; i < permits; i++) {
            take("other " + i, 1, 1, LEFT_MILLIS);
        }
    }

    /** Frees all permits that owners outside the client have; one message says so. */
    void releaseAllOfOthers() {
        synchronized (this) {
            holds.keySet().removeIf(owner -> owner.startsWith("other"));
        }
        publish();
    }

    /** The hold of this claim is gone, and no message says so. */
    synchronized void drop(Claim hold) {
        holds.remove(owner(hold));
    }

    /** The key is deleted, with all that is in it. */
    synchronized void delete() {
        holds.clear();
    }

    synchronized boolean isFree() {
        return holds.isEmpty();
    }

    /** {@return the greatest number of permits that owners have had at the same time} */
    synchronized int mostHeld() {
        return mostHeld;
    }

    /** {@return the number of the hold of this claim; 0 if there is none} */
    synchronized long numberOf(Claim claim) {
        Held mine = holds.get(owner(claim));
        return mine != null && mine.tenure() == claim.tenure() ? mine.number() : 0;
    }

    // --- Steps of the scripts.

    final long nowMicros() {
        return micros.getAsLong();
    }

    private long nowMillis() {
        return nowMicros() / 1000;
    }

    final int held() {
        return holds.values().stream().mapToInt(Held::amount).sum();
    }

    final boolean fits(int amount, int limit) {
        return held() + amount <= limit;
    }

    /** {@return the tenure that an owner has, also if that has ended; 0 if it has none} */
    final long tenureOf(String owner) {
        Held mine = holds.get(owner);
        return mine == null ? 0 : mine.tenure();
    }

    private boolean hasEnded(Held hold) {
        return hold.untilMillis() <= nowMillis();
    }

    final void dropEnded() {
        holds.values().removeIf(this::hasEnded);
    }

    final long leftMillis() {
        long until = holds.values().stream().mapToLong(Held::untilMillis).min().orElse(0);
        return Math.max(1, until - nowMillis());
    }

    final void take(String owner, long tenure, int amount, long leaseMillis) {
        long number = 1;
        while (isTaken(number)) {
            number++;
        }
        holds.put(owner, new Held(tenure, amount, number, nowMillis() + leaseMillis));
        mostHeld = Math.max(mostHeld, held());
    }

    private boolean isTaken(long number) {
        return holds.values().stream().anyMatch(held -> held.number() == number);
    }

    /** {@return whether the owner has the permits already, by this tenure or an older one, which becomes this one} */
    final boolean adopts(Claim claim) {
        Held mine = holds.remove(owner(claim));
        if (mine == null || hasEnded(mine) || mine.amount() != claim.count() || mine.number() > limit(claim)) {
            return false;
        }
        long until = nowMillis() + claim.leaseMillis();
        boolean isKept = mine.tenure() == claim.tenure() && mine.untilMillis() > until;
        holds.put(
                owner(claim),
                new Held(claim.tenure(), mine.amount(), mine.number(), isKept ? mine.untilMillis() : until));
        return true;
    }

    /** {@return the tenure, if it was held} */
    final long give(Claim claim) {
        Held mine = holds.remove(owner(claim));
        return mine != null && mine.tenure() == claim.tenure() && !hasEnded(mine) ? claim.tenure() : 0;
    }

    final long[] grant(Claim claim) {
        return new long[] {claim.tenure(), numberOf(claim)};
    }

    static int limit(Claim claim) {
        return claim.lock().limit();
    }

    // --- The scripts.

    long[] acquire(Claim claim) {
        if (tenureOf(owner(claim)) > claim.tenure()) {
            return one(tenureOf(owner(claim)));
        }
        if (!adopts(claim)) {
            dropEnded();
            if (!fits(claim.count(), limit(claim))) {
                return one(-leftMillis());
            }
            take(owner(claim), claim.tenure(), claim.count(), claim.leaseMillis());
        }
        return grant(claim);
    }

    long[] release(Claim claim) {
        if (tenureOf(owner(claim)) > claim.tenure()) {
            return one(tenureOf(owner(claim)));
        }
        long was = give(claim);
        if (was != 0) {
            publish();
        }
        return one(was);
    }

    /** With the lease of a renewal, which extends that of the hold. */
    @Override
    long find(Claim claim) {
        Held mine = holds.get(owner(claim));
        if (mine == null || mine.tenure() < claim.tenure() || (mine.tenure() == claim.tenure() && hasEnded(mine))) {
            return 0;
        }
        long until = Math.max(mine.untilMillis(), nowMillis() + claim.leaseMillis());
        holds.put(owner(claim), new Held(mine.tenure(), mine.amount(), mine.number(), until));
        return mine.tenure();
    }

    // --- The commands.

    @Override
    public Call acquire(Claim claim, Call.Callback caller) {
        return command("an acquire", caller, () -> acquire(claim));
    }

    @Override
    public Answer readGrant(Call call, long tenure) {
        Answer answer = Answer.of(call, tenure);
        return answer.outcome() == Answer.Outcome.HELD
                ? new Answer(Answer.Outcome.HELD, 0, (Long) call.elements().get(1))
                : answer;
    }

    @Override
    public Call release(Claim claim, Call.Callback caller) {
        return command("a release", caller, () -> release(claim));
    }
}

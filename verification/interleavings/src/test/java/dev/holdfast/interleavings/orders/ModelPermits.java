package dev.holdfast.interleavings.orders;

import dev.holdfast.internal.kind.Answer;
import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.redis.Call;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A model of permits in Redis: each owner has as many as it has requested, up to their number in all, and a number of its own
 * among those that have some. It is a kind of lock that several owners can have, that counts, and that is not handed off; all
 * that the engine knows of it is in its methods.
 */
final class ModelPermits extends ModelLock {
    private final int permits;

    private record Held(long tenure, int amount, long number) {}

    // Guarded by this.
    private final Map<String, Held> holds = new HashMap<>();
    private int mostHeld;

    ModelPermits(int permits, Runnable onRelease) {
        super(onRelease);
        this.permits = permits;
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

    synchronized void takeAllForOthers() {
        for (int i = 0; i < permits; i++) {
            put("other " + i, 1, 1);
        }
    }

    /** Frees all permits that owners outside the client have; one message says so. */
    void releaseAllOfOthers() {
        synchronized (this) {
            holds.keySet().removeIf(owner -> owner.startsWith("other"));
        }
        publish();
    }

    synchronized boolean isFree() {
        return holds.isEmpty();
    }

    /** {@return the greatest number of permits that owners have had at the same time} */
    synchronized int mostHeld() {
        return mostHeld;
    }

    // --- The scripts.

    private long[] acquire(Claim claim) {
        Held known = holds.get(owner(claim));
        if (known == null && held() + claim.count() > permits) {
            return one(-LEFT_MILLIS);
        }
        Held latest = known == null || known.tenure() < claim.tenure()
                ? put(owner(claim), claim.tenure(), claim.count())
                : known;
        mostHeld = Math.max(mostHeld, held());
        return new long[] {latest.tenure(), latest.number()};
    }

    private int held() {
        return holds.values().stream().mapToInt(Held::amount).sum();
    }

    private Held put(String owner, long tenure, int amount) {
        holds.remove(owner);
        List<Long> taken = new ArrayList<>();
        holds.values().forEach(held -> taken.add(held.number()));
        long number = 1;
        while (taken.contains(number)) {
            number++;
        }
        Held latest = new Held(tenure, amount, number);
        holds.put(owner, latest);
        return latest;
    }

    private long release(Claim claim) {
        long found = find(claim);
        if (found == claim.tenure()) {
            holds.remove(owner(claim));
            publish();
        }
        return found;
    }

    @Override
    long find(Claim claim) {
        Held mine = holds.get(owner(claim));
        return mine != null && mine.tenure() >= claim.tenure() ? mine.tenure() : 0;
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
        return command("a release", caller, () -> one(release(claim)));
    }
}

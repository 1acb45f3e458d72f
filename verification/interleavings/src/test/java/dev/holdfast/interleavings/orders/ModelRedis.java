package dev.holdfast.interleavings.orders;

import dev.holdfast.internal.hold.LocalLocks;
import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.HandsOff;
import dev.holdfast.internal.kind.Settles;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.wait.WaitQueue;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A model of the plain lock, by the rules in the headers of its scripts. Its lease never expires. */
class ModelRedis extends ModelLock implements HandsOff, Settles {
    /** Written once, before any command. */
    private @Nullable LocalLocks locks;

    // Guarded by this.
    private String owner = "";
    private long tenure;
    private int holds;
    private boolean passedOver;
    private int releasesInVain;

    /** How many attempts each owner has made. */
    private final Map<String, Integer> attempts = new HashMap<>();

    /** What the replica has. */
    private State replicated = new State("", 0, 0);

    private record State(String owner, long tenure, int holds) {}

    /** @param onRelease publishes a release */
    ModelRedis(Runnable onRelease) {
        super(onRelease);
    }

    /** These are the locks whose handoffs are checked. */
    void watch(LocalLocks ofClient) {
        locks = ofClient;
    }

    // --- The replica.

    /** The replica has all that was done so far, and misses all that follows. */
    synchronized void cutReplication() {
        replicated = new State(owner, tenure, holds);
    }

    /** The replica is the master. */
    synchronized void promoteReplica() {
        owner = replicated.owner();
        tenure = replicated.tenure();
        holds = replicated.holds();
    }

    // --- Another owner, outside the client.

    synchronized boolean isFree() {
        return owner.isEmpty();
    }

    /** {@return how many attempts of the owner have been executed} */
    synchronized int attempts(String by) {
        return attempts.getOrDefault(by, 0);
    }

    /** {@return whether the owner has the lock with this tenure} */
    synchronized boolean isHeldBy(String by, long ofTenure) {
        return mine(by) == ofTenure;
    }

    synchronized void takeForOther() {
        owner = "other";
        tenure = 1;
        holds = 1;
    }

    /** {@return whether the client has a place in line} */
    synchronized boolean hasPlace() {
        return false;
    }

    /** {@return how many places the client has in line} */
    synchronized int places() {
        return 0;
    }

    /** The key is deleted, with all that is in it. */
    synchronized void delete() {
        owner = "";
    }

    /** {@return whether an owner handed the lock off while this client knew that another owner had it} */
    synchronized boolean wasPassedOver() {
        return passedOver;
    }

    void releaseOfOther() {
        delete();
        publish();
    }

    /** Leaves the lock free for another subscriber, which joins no line. */
    void leaveFreeForOthers() {
        releaseOfOther();
    }

    /** The client is the first in line: it watches over this lease. */
    void watch(Duration lease) {
        throw new UnsupportedOperationException("the lock has no line");
    }

    /** Says again that the lock was left free, as the reply to that release and its message both do. */
    void repeatLeftFree() {
        throw new UnsupportedOperationException("the lock has no line");
    }

    /** The key expires, another client acquires the lock, and a third one opens a line for it. */
    synchronized void openLineAnew() {
        delete();
        takeForOther();
    }

    /** An owner that has this tenure at most does not wait any more; it may have the lock. */
    void noteReleased(String by, long ofTenure, boolean held) {}

    /** {@return how many releases were by an owner that did not have the lock} */
    synchronized int releasesInVain() {
        return releasesInVain;
    }

    // --- The scripts.

    private long mine(String by) {
        return owner.equals(by) ? tenure : 0;
    }

    private long otherwise() {
        return isFree() ? 0 : -LEFT_MILLIS;
    }

    final long take(String by, long newTenure, int count) {
        owner = by;
        tenure = newTenure;
        holds = count;
        return newTenure;
    }

    final long acquire(String by, long ofTenure, int count) {
        attempts.merge(by, 1, Integer::sum);
        long mine = mine(by);
        if (mine > ofTenure) {
            return mine;
        }
        if (mine == 0 && !isFree()) {
            return -LEFT_MILLIS;
        }
        if (count > 1 && mine != ofTenure) {
            return 0;
        }
        return take(by, ofTenure, mine == ofTenure ? Math.max(count, holds) : count);
    }

    private long release(String by, long ofTenure, int left) {
        long mine = mine(by);
        if (mine > ofTenure) {
            return mine;
        }
        if (left == 0) {
            noteReleased(by, ofTenure, mine != 0);
        }
        if (mine == 0) {
            releasesInVain++;
            return otherwise();
        }
        if (mine < ofTenure && left > 0) {
            return 0;
        }
        if (left > 0) {
            holds = left;
        } else {
            releaseOfOther();
        }
        return mine == ofTenure ? ofTenure : 0;
    }

    private long handoff(List<Claim> from, Claim to) {
        long mine = mine(owner(to));
        if (mine >= to.tenure()) {
            return mine;
        }
        for (Claim hold : from) {
            if (mine(owner(hold)) == hold.tenure()) {
                return take(owner(to), to.tenure(), 1);
            }
        }
        return otherwise();
    }

    private long settle(List<Claim> released, Claim to) {
        long mine = mine(owner(to));
        if (mine >= to.tenure()) {
            return mine;
        }
        for (Claim hold : released) {
            long found = mine(owner(hold));
            if (found > 0 && found <= hold.tenure()) {
                return take(owner(to), to.tenure(), to.count());
            }
        }
        return otherwise();
    }

    @Override
    long find(Claim hold) {
        long mine = mine(owner(hold));
        if (mine >= hold.tenure()) {
            return mine;
        }
        return mine == 0 ? otherwise() : 0;
    }

    private static long ownerId(Claim claim) {
        String field = owner(claim);
        return Long.parseLong(field.substring(field.indexOf(':') + 1));
    }

    // --- The commands.

    @Override
    public Call acquire(Claim claim, Call.Callback caller) {
        return command("an acquire", caller, () -> one(acquire(owner(claim), claim.tenure(), claim.count())));
    }

    @Override
    public Call release(Claim claim, Call.Callback caller) {
        return command("a release", caller, () -> one(release(owner(claim), claim.tenure(), claim.count())));
    }

    @Override
    public boolean awaitsHandoffs() {
        return false;
    }

    @Override
    public Call handoff(Claim from, Claim to, Call.Callback caller) {
        WaitQueue queue =
                (WaitQueue) Objects.requireNonNull(locks, "not watched").successors(from.lock());
        synchronized (this) {
            passedOver |= queue != null && queue.cohort().isHeldByAnother(ownerId(from));
        }
        return command("a handoff", caller, () -> one(handoff(List.of(from), to)));
    }

    @Override
    public Call commit(List<Claim> from, Claim to, boolean inFull, Call.Callback caller) {
        return command("a commit", caller, () -> one(handoff(from, to)));
    }

    @Override
    public Call settle(List<Claim> released, Claim to, long token, Call.Callback caller) {
        return command("a settlement", caller, () -> one(settle(released, to)));
    }
}

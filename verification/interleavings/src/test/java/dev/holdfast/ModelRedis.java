package dev.holdfast;

import static dev.holdfast.interleavings.Orders.point;

import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.LockAnswer;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.LockKind;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.Script;
import dev.holdfast.internal.wait.WaitQueue;
import dev.holdfast.internal.wait.WaitQueues;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A model of one lock in Redis, by the rules in the headers of the scripts, and the kind of lock whose commands it
 * understands. Its lease never expires.
 */
final class ModelRedis implements LockKind {
    private static final long LEFT_MILLIS = 30_000;

    private final Runnable onRelease;

    /** Written once, before any command. */
    private @Nullable WaitQueues queues;

    // Guarded by this.
    private final IdentityHashMap<Call, Supplier<long[]>> commands = new IdentityHashMap<>();
    private String owner = "";
    private long tenure;
    private int holds;
    private boolean passedOver;

    /** @param onRelease publishes a release */
    ModelRedis(Runnable onRelease) {
        this.onRelease = onRelease;
    }

    /** These are the queues whose handoffs are checked. */
    void watch(WaitQueues ofClient) {
        queues = ofClient;
    }

    /** {@return the reply to the command; null if it is for another lock} */
    synchronized long @Nullable [] run(Call command) {
        Supplier<long[]> script = commands.remove(command);
        return script == null ? null : script.get();
    }

    private Call command(String name, Call.Callback caller, Supplier<long[]> script) {
        Call call = Call.of(CommandType.EVALSHA, caller);
        synchronized (this) {
            commands.put(call, script);
        }
        point("sending " + name);
        return call;
    }

    // --- Another owner, outside the client.

    synchronized boolean isFree() {
        return owner.isEmpty();
    }

    synchronized void takeForOther() {
        owner = "other";
        tenure = 1;
        holds = 1;
    }

    synchronized void delete() {
        owner = "";
    }

    /** {@return whether an owner handed the lock off while this client knew that another owner had it} */
    synchronized boolean wasPassedOver() {
        return passedOver;
    }

    void releaseOfOther() {
        delete();
        onRelease.run();
    }

    // --- The scripts.

    private long mine(String by) {
        return owner.equals(by) ? tenure : 0;
    }

    private long otherwise() {
        return isFree() ? 0 : -LEFT_MILLIS;
    }

    private long take(String by, long newTenure, int count) {
        owner = by;
        tenure = newTenure;
        holds = count;
        return newTenure;
    }

    private long acquire(String by, long ofTenure, int count) {
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
        if (mine == 0 || (mine < ofTenure && left > 0)) {
            return mine == 0 ? otherwise() : 0;
        }
        if (left > 0) {
            holds = left;
        } else {
            releaseOfOther();
        }
        return mine == ofTenure ? ofTenure : 0;
    }

    private long handoff(List<? extends Claim> from, String by, long ofTenure) {
        long mine = mine(by);
        if (mine >= ofTenure) {
            return mine;
        }
        for (Claim hold : from) {
            if (mine(name(hold.ownerField())) == hold.tenure()) {
                return take(by, ofTenure, 1);
            }
        }
        return otherwise();
    }

    private long[] look(List<? extends Claim> all) {
        return all.stream().mapToLong(this::look).toArray();
    }

    private long look(Claim hold) {
        long mine = mine(name(hold.ownerField()));
        if (mine >= hold.tenure()) {
            return mine;
        }
        return mine == 0 ? otherwise() : 0;
    }

    private static String name(byte[] field) {
        return new String(field, StandardCharsets.US_ASCII);
    }

    private static long[] one(long number) {
        return new long[] {number};
    }

    // --- The commands.

    @Override
    public Call acquire(LockKey lock, byte[] by, long ofTenure, int count, long leaseMillis, Call.Callback caller) {
        return command("an acquire", caller, () -> one(acquire(name(by), ofTenure, count)));
    }

    @Override
    public Call release(LockKey lock, byte[] by, long ofTenure, int left, Call.Callback caller) {
        return command("a release", caller, () -> one(release(name(by), ofTenure, left)));
    }

    @Override
    public Call handoff(Claim from, Claim to, long leaseMillis, boolean inPlace, Call.Callback caller) {
        WaitQueue queue = Objects.requireNonNull(queues, "not watched").get(from.lock());
        long giver = ((Hold) from).ownerId();
        synchronized (this) {
            passedOver |= queue != null && queue.cohort().isHeldByAnother(giver);
        }
        return command("a handoff", caller, () -> one(handoff(List.of(from), name(to.ownerField()), to.tenure())));
    }

    @Override
    public Call repair(List<? extends Claim> from, Claim to, long leaseMillis, Call.Callback caller) {
        return command("a repair", caller, () -> one(handoff(from, name(to.ownerField()), to.tenure())));
    }

    @Override
    public Call renew(List<? extends Claim> all, long leaseMillis, Call.Callback caller) {
        return command("a renewal", caller, () -> look(all));
    }

    @Override
    public Call verify(List<? extends Claim> all, Call.Callback caller) {
        return command("a verification", caller, () -> look(all));
    }

    @Override
    public Call closeAfter(Claim hold, long closed, long leftMillis, Call.Callback caller) {
        throw new UnsupportedOperationException("no lease expires in this model");
    }

    @Override
    public Call forceUnlock(LockKey lock, Call.Callback caller) {
        throw new UnsupportedOperationException("no lock is forced open in this model");
    }

    @Override
    public Call inspect(LockKey lock, Call.Callback caller) {
        throw new UnsupportedOperationException("no lock is inspected in this model");
    }

    @Override
    public String channelPrefix() {
        return "model";
    }

    @Override
    public List<Script> scripts() {
        return List.of();
    }

    @Override
    public LockType type() {
        return LockType.PLAIN;
    }

    @Override
    public boolean awaitsHandoffs() {
        return false;
    }

    @Override
    public LockAnswer readGrant(Call call, long ofTenure) {
        return LockAnswer.of(call, ofTenure);
    }

    @Override
    public String commandRights() {
        throw new UnsupportedOperationException("no user lacks a right in this model");
    }

    @Override
    public String keyRights(LockKey lock) {
        throw new UnsupportedOperationException("no user lacks a right in this model");
    }

    @Override
    public @Nullable String explain(LockKey lock, String error) {
        return null;
    }

    @Override
    public String otherKeys(LockKey lock) {
        return "";
    }
}

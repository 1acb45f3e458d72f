package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Orders.pointOutsideMonitors;

import dev.holdfast.LockType;
import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.Kind;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.Script;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One lock in Redis, by a model of its scripts, and the kind of lock whose commands it understands. */
abstract class ModelLock implements Kind {
    static final long LEFT_MILLIS = 30_000;

    private final Runnable onRelease;

    /** The commands that were created and not run yet. Guarded by this. */
    private final IdentityHashMap<Call, Supplier<long[]>> commands = new IdentityHashMap<>();

    /** @param onRelease publishes a release */
    ModelLock(Runnable onRelease) {
        this.onRelease = onRelease;
    }

    /** {@return the reply to the command; null if it is for another lock} */
    final synchronized long @Nullable [] run(Call command) {
        Supplier<long[]> script = commands.remove(command);
        return script == null ? null : script.get();
    }

    /** {@return the command that runs this script} The script runs under the monitor. */
    final Call command(String name, Call.Callback caller, Supplier<long[]> script) {
        Call call = Call.of(CommandType.EVALSHA, caller);
        synchronized (this) {
            commands.put(call, script);
        }
        pointOutsideMonitors("sending " + name);
        return call;
    }

    final void publish() {
        onRelease.run();
    }

    /** {@return what a command for this claim finds, without a change} Under the monitor. */
    abstract long find(Claim claim);

    static String owner(Claim claim) {
        return new String(claim.ownerField(), StandardCharsets.US_ASCII);
    }

    static long[] one(long number) {
        return new long[] {number};
    }

    private long[] find(List<Claim> all) {
        return all.stream().mapToLong(this::find).toArray();
    }

    @Override
    public final Call renew(List<Claim> all, Call.Callback caller) {
        return command("a renewal", caller, () -> find(all));
    }

    @Override
    public final Call verify(List<Claim> all, Call.Callback caller) {
        return command("a verification", caller, () -> find(all));
    }

    @Override
    public final Call closeAfter(Claim claim, long closed, Call.Callback caller) {
        throw new UnsupportedOperationException("no lease expires in this model");
    }

    @Override
    public final String channelPrefix() {
        return "model";
    }

    @Override
    public final List<Script> scripts() {
        return List.of();
    }

    @Override
    public final LockType type() {
        return LockType.PLAIN;
    }

    @Override
    public final String commandRights() {
        throw new UnsupportedOperationException("no user lacks a right in this model");
    }
}

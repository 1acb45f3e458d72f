package dev.holdfast.interleavings.orders;

import dev.holdfast.LockType;
import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.HandsOff;
import dev.holdfast.internal.kind.Kind;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.Script;
import java.util.List;

/** The same lock as that of a {@link ModelRedis}, as a kind whose handoffs are awaited. */
final class ModelFenced implements Kind, HandsOff {
    private final ModelRedis lock;

    ModelFenced(ModelRedis lock) {
        this.lock = lock;
    }

    @Override
    public LockType type() {
        return LockType.FENCED;
    }

    @Override
    public boolean awaitsHandoffs() {
        return true;
    }

    @Override
    public String channelPrefix() {
        return lock.channelPrefix();
    }

    @Override
    public List<Script> scripts() {
        return lock.scripts();
    }

    @Override
    public Call acquire(Claim claim, Call.Callback caller) {
        return lock.acquire(claim, caller);
    }

    @Override
    public Call release(Claim claim, Call.Callback caller) {
        return lock.release(claim, caller);
    }

    @Override
    public Call closeAfter(Claim claim, long closed, Call.Callback caller) {
        return lock.closeAfter(claim, closed, caller);
    }

    @Override
    public Call handoff(Claim from, Claim to, Call.Callback caller) {
        return lock.handoff(from, to, caller);
    }

    @Override
    public Call commit(List<Claim> from, Claim to, boolean inFull, Call.Callback caller) {
        return lock.commit(from, to, inFull, caller);
    }

    @Override
    public Call renew(List<Claim> claims, Call.Callback caller) {
        return lock.renew(claims, caller);
    }

    @Override
    public Call verify(List<Claim> claims, Call.Callback caller) {
        return lock.verify(claims, caller);
    }

    @Override
    public String commandRights() {
        return lock.commandRights();
    }
}

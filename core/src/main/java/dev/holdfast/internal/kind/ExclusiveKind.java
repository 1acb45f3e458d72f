package dev.holdfast.internal.kind;

import dev.holdfast.internal.redis.ArgumentWriter;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.RespWriter;
import dev.holdfast.internal.redis.Script;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the kinds have in common whose locks one owner has for itself alone: it can be handed off, and kept closed. */
abstract class ExclusiveKind extends HashKind implements HandsOff, Enlists, Settles {
    static final Script CLOSE_AFTER = Script.load(ExclusiveKind.class, "close-after.lua");
    static final Script HANDOFF = Script.load(ExclusiveKind.class, "handoff.lua");
    static final Script SETTLE = Script.load(ExclusiveKind.class, "settle.lua");

    ExclusiveKind(@Nullable String label) {
        super(label);
    }

    /** {@return the number of keys of a script that may grant the lock} */
    abstract int keyCount();

    /** Writes those keys. */
    abstract RespWriter keys(RespWriter frame, LockKey lock);

    @Override
    public boolean awaitsHandoffs() {
        return false;
    }

    @Override
    public boolean startsOn(GrantMessage message) {
        return true;
    }

    @Override
    public final Call closeAfter(Claim claim, long closed, Call.Callback caller) {
        ArgumentWriter words = frame -> claim.lock()
                .publication(claim.words(frame.word(claim.lock().key()))
                        .number(closed)
                        .number(claim.leaseMillis()))
                .word(freed());
        return CLOSE_AFTER.call(1, 7, words, caller).expectAtLeast(claim.tenure());
    }

    @Override
    public final Call handoff(Claim from, Claim to, Call.Callback caller) {
        ArgumentWriter words =
                frame -> from.words(to.words(keys(frame, to.lock())).number(to.leaseMillis()));
        return HANDOFF.call(keyCount(), 5, words, caller).expectAtLeast(to.tenure());
    }

    @Override
    public final Call commit(List<Claim> from, Claim to, boolean inFull, Call.Callback caller) {
        ArgumentWriter words = frame -> {
            to.words(keys(frame, to.lock())).number(to.leaseMillis());
            from.forEach(hold -> hold.words(frame));
        };
        int arguments = 3 + 2 * from.size();
        Call call = inFull
                ? HANDOFF.callInFull(keyCount(), arguments, words, caller)
                : HANDOFF.callInOrder(keyCount(), arguments, words, caller);
        return call.expectAtLeast(to.tenure());
    }

    /** With its source: it is among the first commands at a node, which may not know the script. */
    @Override
    public final Call settle(List<Claim> released, Claim to, long token, Call.Callback caller) {
        ArgumentWriter words = frame -> {
            to.words(frame.word(to.lock().key()))
                    .number(to.count())
                    .number(to.leaseMillis())
                    .word(token == 0 ? "" : Long.toString(token));
            released.forEach(hold -> hold.words(frame));
        };
        return SETTLE.callInFull(1, 5 + 2 * released.size(), words, caller).expectAtLeast(to.tenure());
    }
}

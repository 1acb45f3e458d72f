package dev.holdfast.internal.condition;

import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.Kind;
import dev.holdfast.internal.redis.ArgumentWriter;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.Script;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The commands of conditions, and what their replies mean. */
public final class ConditionScripts {
    static final String COMMAND_RIGHTS =
            "+evalsha +eval +script|load +time +hget +hset +hdel +hgetall +pttl +pexpire +pubsub|numsub";

    private static final Script PART = Script.load(Kind.class, "condition-part.lua");
    private static final Script LEAVE = Script.load(Kind.class, "condition-leave.lua");
    private static final Script WATCH = Script.load(Kind.class, "condition-watch.lua");
    private static final Script ROUSE = Script.load(Kind.class, "condition-rouse.lua");
    private static final Script INSPECT = Script.load(Kind.class, "condition-inspect.lua");

    private ConditionScripts() {}

    /**
     * A signal.
     *
     * @param condition the name; empty for that which has none
     * @param all whether all wake that wait for it
     */
    public record Signal(String condition, boolean all) {}

    /**
     * A wait.
     *
     * @param owner the name of the owner, as in Redis
     * @param ticket its number, larger than any before of its client
     */
    public record Wait(String owner, long ticket, String condition) {}

    /**
     * What an owner does before it releases the lock.
     *
     * @param hold with which it has the lock
     * @param signals in their order; may be none
     * @param wait null if it does not wait
     * @param isCounted whether the number of all subscribers of a channel is known at this home
     * @param leaseMillis for which the client counts as alive
     * @param inFull whether the server may not know the script, so that its source is sent: later commands rely on its position
     */
    public static Call part(
            ConditionKey key,
            Claim hold,
            List<Signal> signals,
            @Nullable Wait wait,
            boolean isCounted,
            long leaseMillis,
            boolean inFull,
            Call.Callback caller) {
        ArgumentWriter words = frame -> {
            hold.words(frame.word(key.lock().key()).word(key.key()))
                    .word(key.channel())
                    .publish()
                    .number(isCounted ? 1 : 0)
                    .number(leaseMillis)
                    .number(wait == null ? 0 : wait.ticket())
                    .word(wait == null ? "" : wait.condition());
            signals.forEach(signal -> frame.word(signal.condition()).number(signal.all() ? 1 : 0));
        };
        int arguments = 8 + 2 * signals.size();
        Call call =
                inFull ? PART.callInFull(2, arguments, words, caller) : PART.callInOrder(2, arguments, words, caller);
        return call.expectAtLeast(hold.tenure());
    }

    /** Ends a wait. {@link #isDone} has whether it was in the wait set, and so was not signalled. */
    public static Call leave(ConditionKey key, Wait wait, Call.Callback caller) {
        return LEAVE.call(
                1,
                4,
                frame -> frame.word(key.key())
                        .word(wait.owner())
                        .number(wait.ticket())
                        .word(key.channel())
                        .publish(),
                caller);
    }

    /**
     * Proves that the client is alive. {@link #missing} has which of these waits are over.
     *
     * @param leaseMillis for which it counts as alive; 0 when it has no waiters any more
     */
    public static Call watch(
            ConditionKey key,
            String clientId,
            long leaseMillis,
            List<Wait> waits,
            boolean isCounted,
            Call.Callback caller) {
        return WATCH.call(
                1,
                5 + 2 * waits.size(),
                frame -> {
                    frame.word(key.key())
                            .word(clientId)
                            .number(leaseMillis)
                            .word(key.channel())
                            .publish();
                    if (isCounted) {
                        frame.numsub();
                    } else {
                        frame.word("");
                    }
                    waits.forEach(wait -> frame.word(wait.owner()).number(wait.ticket()));
                },
                caller);
    }

    /** Wakes all that wait. */
    public static Call rouse(ConditionKey key, Call.Callback caller) {
        return ROUSE.call(
                1, 2, frame -> frame.word(key.key()).word(key.channel()).publish(), caller);
    }

    /** Reads the wait sets. {@link #waiters} has what it replies. */
    public static Call inspect(ConditionKey key, Call.Callback caller) {
        return INSPECT.call(1, 0, frame -> frame.word(key.key()), caller);
    }

    /** {@return the owners that wait for each condition, in their order} */
    public static Map<String, List<String>> waiters(Call inspected) {
        return WaitSets.read(inspected.elements());
    }

    /** {@return whether the reply to {@link #leave} says that the wait was ended by it} */
    public static boolean isDone(Call left) {
        return left.number() == 1;
    }

    /** {@return the indexes of the waits that are in no wait set, by the reply to {@link #watch}; all if a client has died} */
    public static Set<Integer> missing(Call watched) {
        List<Object> elements = watched.elements();
        boolean someDied = watched.number() > 0;
        Set<Integer> missing = new TreeSet<>();
        for (int i = 1; i < elements.size(); i++) {
            if (someDied || !elements.get(i).equals(1L)) {
                missing.add(i - 1);
            }
        }
        return missing;
    }
}

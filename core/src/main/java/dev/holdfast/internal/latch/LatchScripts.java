package dev.holdfast.internal.latch;

import dev.holdfast.internal.kind.Kind;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.RespWriter;
import dev.holdfast.internal.redis.Script;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The commands of latches and what their replies mean. A command that changes a latch has a number, larger than all before of
 * its client; its call is replied to only when replicas have it, where grants are.
 */
public final class LatchScripts {
    /** How long the keys of a latch without a lifetime of its own live after each use. */
    public static final long LIFETIME_MILLIS = 24 * 60 * 60 * 1_000L;

    static final String COMMAND_RIGHTS =
            "+evalsha +eval +script|load +hmget +hset +hdel +pttl +pexpire +get +set +del +time";

    private static final Script SET = Script.load(Kind.class, "latch-set.lua");
    private static final Script COUNT_DOWN = Script.load(Kind.class, "latch-count-down.lua");
    private static final Script DELETE = Script.load(Kind.class, "latch-delete.lua");
    private static final Script LOOK = Script.load(Kind.class, "latch-look.lua");

    private LatchScripts() {}

    /**
     * A countdown.
     *
     * @param number of the command
     * @param by by how much
     * @param generation in which it was counted at another node; 1 if that had none, 0 if it was not counted before
     */
    public record Countdown(long number, long by, long generation) {}

    /**
     * Gives the latch a count, if it has none.
     *
     * @param lifetimeMillis how long both keys live; 0 to renew them by each use
     */
    public static Call set(
            LatchKey latch, String clientId, long number, long count, long lifetimeMillis, Call.Callback caller) {
        boolean renewed = lifetimeMillis == 0;
        return SET.call(
                        2,
                        7,
                        frame -> keys(frame, latch)
                                .word(clientId)
                                .number(number)
                                .number(count)
                                .number(renewed ? LIFETIME_MILLIS : lifetimeMillis)
                                .number(renewed ? LIFETIME_MILLIS : 0)
                                .word(latch.channel())
                                .publish(),
                        caller)
                .expectAtLeast(number)
                .replicated();
    }

    /**
     * Counts the latch down.
     *
     * @param countdowns at least one, in the order of their numbers
     */
    public static Call countDown(LatchKey latch, String clientId, List<Countdown> countdowns, Call.Callback caller) {
        return COUNT_DOWN
                .call(
                        2,
                        3 + 3 * countdowns.size(),
                        frame -> {
                            keys(frame, latch)
                                    .word(clientId)
                                    .word(latch.channel())
                                    .publish();
                            countdowns.forEach(each -> frame.number(each.number())
                                    .number(each.by())
                                    .word(each.generation() == 0 ? "" : Long.toString(each.generation())));
                        },
                        caller)
                .expectAtLeast(countdowns.get(countdowns.size() - 1).number())
                .replicated();
    }

    /** Takes the count away. */
    public static Call delete(LatchKey latch, String clientId, long number, Call.Callback caller) {
        return DELETE.call(
                        2,
                        4,
                        frame -> keys(frame, latch)
                                .word(clientId)
                                .number(number)
                                .word(latch.channel())
                                .publish(),
                        caller)
                .expectAtLeast(number)
                .replicated();
    }

    /** Reads the state of the latch, and renews the life of its keys. */
    public static Call look(LatchKey latch, Call.Callback caller) {
        return LOOK.call(2, 0, frame -> keys(frame, latch), caller);
    }

    private static RespWriter keys(RespWriter frame, LatchKey latch) {
        return frame.word(latch.key()).word(latch.record());
    }

    /** {@return what a command has done: of a set and a deletion 1 or 0, of a countdown its generation, 1 if it has none, or 0} */
    public static long result(Call command) {
        return Long.parseLong(command.elements().get(1).toString());
    }

    /** {@return why Redis refused to publish what a command has done; null if it did not} */
    public static @Nullable String refusal(Call command) {
        return command.elements().size() < 3 ? null : command.elements().get(2).toString();
    }
}

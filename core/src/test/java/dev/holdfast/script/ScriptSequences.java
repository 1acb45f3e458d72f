package dev.holdfast.script;

import static dev.holdfast.script.RawScripts.OTHER;
import static dev.holdfast.script.RawScripts.OWNER;

import dev.holdfast.LockKinds;
import dev.holdfast.script.RawCommand.Verb;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/**
 * Every sequence of commands, up to a length, that two owners may send according to what they hold, and its outcome.
 */
final class ScriptSequences {
    private static final int MOST_HOLDS = 3;

    /** The lease that each command in its position requests: some shorter, some longer than those before. */
    private static final int[] LEASE_MINUTES = {10, 4, 20, 2, 30};

    private final RawScripts scripts;
    private final Map<Verb, String> files;
    private final LockKinds kind;

    /** Runs the scripts of this kind of lock, except for those of these verbs. */
    ScriptSequences(RawScripts scripts, LockKinds kind, Map<Verb, String> others) {
        this.scripts = scripts;
        this.kind = kind;
        this.files = new EnumMap<>(Map.of(
                Verb.ACQUIRE, "acquire.lua",
                Verb.RELEASE, "release.lua",
                Verb.RENEW, "renew.lua",
                Verb.HANDOFF, "handoff.lua",
                Verb.CLOSE_AFTER, "close-after.lua",
                Verb.SETTLE, "settle.lua"));
        files.putAll(others);
    }

    /**
     * {@return all sequences of that length that begin with one of the owners; the others are the same with the names
     * swapped}
     */
    static List<List<RawCommand>> ofLength(int length) {
        List<List<RawCommand>> all = new ArrayList<>();
        RawCommand first = new RawCommand(Verb.ACQUIRE, OWNER, 1, 1, LEASE_MINUTES[0]);
        extend(List.of(first), LockState.FREE.after(first), length - 1, all);
        return all;
    }

    private static void extend(List<RawCommand> sent, LockState state, int more, List<List<RawCommand>> all) {
        if (more == 0) {
            all.add(sent);
            return;
        }
        for (RawCommand next : legal(sent, state)) {
            extend(with(sent, sent.size(), next), state.after(next), more - 1, all);
        }
    }

    /**
     * The commands that either owner may send now: an owner that does not hold the lock tries to acquire it or gets a
     * handoff, with a new tenure; so may the holder, which does not know of its hold if the reply was lost. An owner
     * that has closed its hold sends nothing more about it. The hold may have been released at another node, and the other
     * owner been granted the lock there: it is settled here.
     */
    private static List<RawCommand> legal(List<RawCommand> sent, LockState state) {
        List<RawCommand> next = new ArrayList<>();
        int fresh = sent.size() + 1;
        int lease = LEASE_MINUTES[sent.size()];
        for (String owner : List.of(OWNER, OTHER)) {
            next.add(new RawCommand(Verb.ACQUIRE, owner, fresh, 1, lease));
            if (!owner.equals(state.owner()) || isClosed(sent, state)) {
                continue;
            }
            next.add(new RawCommand(Verb.RELEASE, owner, state.tenure(), state.holds() - 1, 0));
            next.add(new RawCommand(Verb.RENEW, owner, state.tenure(), 0, lease));
            String another = owner.equals(OWNER) ? OTHER : OWNER;
            next.add(RawCommand.handoff(state, another, fresh, lease));
            next.add(RawCommand.settle(state, another, fresh, lease));
            next.add(RawCommand.closeAfter(state, fresh, lease));
            if (state.holds() < MOST_HOLDS) {
                next.add(new RawCommand(Verb.ACQUIRE, owner, state.tenure(), state.holds() + 1, lease));
            }
        }
        return next;
    }

    private static boolean isClosed(List<RawCommand> sent, LockState state) {
        return sent.stream().anyMatch(command -> command.verb() == Verb.CLOSE_AFTER && command.isAbout(state));
    }

    /** {@return the sequence with one more command at this position} */
    static List<RawCommand> with(List<RawCommand> sequence, int at, RawCommand command) {
        List<RawCommand> longer = new ArrayList<>(sequence);
        longer.add(at, command);
        return longer;
    }

    /** {@return the state after each command, if each comes once and in order; the lock is free before the first} */
    static List<LockState> meant(List<RawCommand> sequence) {
        List<LockState> states = new ArrayList<>(List.of(LockState.FREE));
        for (RawCommand command : sequence) {
            states.add(states.get(states.size() - 1).after(command));
        }
        return states;
    }

    /** Sends the commands for a lock of their own. {@return the state before the first and after each} */
    CompletableFuture<List<LockState>> run(List<RawCommand> commands) {
        return run(commands, (answer, inspected) -> LockState.read(inspected));
    }

    /**
     * Sends the commands for a lock of their own.
     *
     * @param reader reads the reply to a command, if there was one, and the state of the lock then
     * @return what was read before the first and after each
     */
    <S> CompletableFuture<List<S>> run(List<RawCommand> commands, BiFunction<Object, Object, S> reader) {
        String lock = scripts.newLock();
        List<CompletableFuture<S>> states =
                new ArrayList<>(List.of(inspect(lock).thenApply(inspected -> reader.apply(0L, inspected))));
        for (RawCommand command : commands) {
            String file = files.getOrDefault(command.verb(), "");
            CompletableFuture<Object> answer = scripts.begin(file, keys(lock, command), command.arguments());
            states.add(answer.thenCombine(inspect(lock), reader));
        }
        return CompletableFuture.allOf(states.toArray(CompletableFuture[]::new))
                .thenApply(all -> states.stream().map(CompletableFuture::join).toList());
    }

    private List<String> keys(String lock, RawCommand command) {
        return kind == LockKinds.FENCED && command.mayGrant() ? List.of(lock, RawScripts.tokens(lock)) : List.of(lock);
    }

    private CompletableFuture<Object> inspect(String lock) {
        return scripts.begin("inspect.lua", List.of(lock));
    }
}

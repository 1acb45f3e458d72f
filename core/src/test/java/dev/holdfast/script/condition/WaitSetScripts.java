package dev.holdfast.script.condition;

import dev.holdfast.Patience;
import dev.holdfast.script.TimedScripts;
import dev.holdfast.script.TimedScripts.Effect;
import dev.holdfast.script.TimedScripts.Kept;
import dev.holdfast.script.TimedScripts.Setting;
import dev.holdfast.script.condition.WaitSetCommand.Verb;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;

/** Runs the scripts on the conditions of a lock. */
final class WaitSetScripts implements AutoCloseable {
    private static final String LOCK = "lock";
    private static final String CONDITIONS = "conditions";

    private final TimedScripts timed = new TimedScripts();

    /** The scripts as they are loaded into the server. */
    final class Loaded {
        private final Map<Verb, String> digests = new EnumMap<>(Verb.class);

        private Loaded(BinaryOperator<String> change) {
            for (Verb verb : Verb.values()) {
                digests.put(verb, timed.load(change.apply(verb.file(), TimedScripts.shipped(verb.file()))));
            }
        }

        /** Runs a command. {@return what it has done; the key of the conditions is the last one} */
        Effect run(WaitSetCommand command, Setting setting, String publish, boolean counted) {
            List<String> keys = command.verb() == Verb.PART ? List.of(LOCK, CONDITIONS) : List.of(CONDITIONS);
            return Patience.get(timed.send(
                    digests.getOrDefault(command.verb(), ""), setting, keys, command.arguments(publish, counted)));
        }
    }

    /** {@return the shipped scripts} */
    Loaded shipped() {
        return changed((file, text) -> text);
    }

    /** {@return the shipped scripts, each changed by that function of its file and its text} */
    Loaded changed(BinaryOperator<String> change) {
        return new Loaded(change);
    }

    /** Makes the wait sets as they were, and gives the lock to that owner. */
    void restore(Kept conditions, String owner, long tenure) {
        Map<String, String> lock = Map.of(owner, "1", owner + ":tenure", String.valueOf(tenure));
        timed.restore(Map.of(LOCK, new Kept(-1, "", lock), CONDITIONS, conditions));
    }

    @Override
    public void close() {
        timed.close();
    }
}

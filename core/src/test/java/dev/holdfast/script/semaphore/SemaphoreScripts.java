package dev.holdfast.script.semaphore;

import dev.holdfast.script.TimedScripts;
import dev.holdfast.script.semaphore.SemaphoreCommand.Verb;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BinaryOperator;

/** Runs the scripts on a semaphore. */
final class SemaphoreScripts implements AutoCloseable {
    private final TimedScripts timed = new TimedScripts();

    /** What a command has done. */
    record Effect(List<Object> reply, SemaphoreState after, List<TimedScripts.Message> messages) {}

    /** The scripts as they are loaded into the server. */
    final class Loaded {
        private final Map<Verb, String> digests = new EnumMap<>(Verb.class);

        private Loaded(BinaryOperator<String> change) {
            for (Verb verb : Verb.values()) {
                digests.put(verb, timed.load(change.apply(verb.file(), TimedScripts.shipped(verb.file()))));
            }
        }

        /** Sends a command; those that are sent are executed in order. */
        CompletableFuture<Effect> send(SemaphoreCommand command, TimedScripts.Setting setting, String publish) {
            return timed.send(
                            digests.getOrDefault(command.verb(), ""),
                            setting,
                            List.of(SemaphoreCommand.LOCK),
                            command.arguments(publish))
                    .thenApply(Loaded::effect);
        }

        private static Effect effect(TimedScripts.Effect seen) {
            TimedScripts.Kept after = seen.keys().get(0);
            return new Effect(seen.reply(), new SemaphoreState(after.expires(), after.fields()), seen.messages());
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

    /** Makes the semaphore as it was in that state, before what is sent after this call. */
    void restore(SemaphoreState state) {
        timed.restore(Map.of(SemaphoreCommand.LOCK, new TimedScripts.Kept(state.expires, "", state.fields)));
    }

    @Override
    public void close() {
        timed.close();
    }
}

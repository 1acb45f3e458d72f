package dev.holdfast.script.readwrite;

import dev.holdfast.Patience;
import dev.holdfast.script.TimedScripts;
import dev.holdfast.script.TimedScripts.Message;
import dev.holdfast.script.readwrite.ReadWriteCommand.Verb;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;

/** Runs the scripts on a lock, with the clock, the expiries and the subscribers that the test sets. */
final class ReadWriteScripts implements AutoCloseable {
    private final TimedScripts timed = new TimedScripts();
    private long sent;

    /**
     * What a command has done.
     *
     * @param reply its elements; none if it is nil, which only Redisson's are
     * @param after the lock after it
     */
    record Effect(List<Object> reply, ReadWriteState after, List<Message> messages) {
        /** {@return the first element if it is a number; a number that no reply has otherwise} */
        long number() {
            return !reply.isEmpty() && reply.get(0) instanceof Long number ? number : Long.MIN_VALUE;
        }

        boolean isError() {
            return !reply.isEmpty() && reply.get(0) instanceof String;
        }
    }

    /** The scripts as they are loaded into the server. */
    final class Loaded {
        private final Map<Verb, String> digests = new EnumMap<>(Verb.class);

        private Loaded(BinaryOperator<String> change) {
            for (Verb verb : Verb.values()) {
                String text = verb.isRedissons()
                        ? verb.script()
                        : change.apply(verb.script(), TimedScripts.shipped(verb.script()));
                digests.put(verb, timed.load(text));
            }
        }

        /**
         * Runs the script of a command.
         *
         * @param nowMicros the time of the server
         * @param listening the channels that have subscribers, each as often as it has some
         * @param refused commands of Redis that the script may not run
         */
        Effect run(
                ReadWriteCommand command,
                long nowMicros,
                List<String> listening,
                List<String> refused,
                String publish) {
            TimedScripts.Effect seen = Patience.get(timed.send(
                    digests.getOrDefault(command.verb(), ""),
                    new TimedScripts.Setting(nowMicros, listening, refused),
                    command.keys(String.valueOf(sent++)),
                    command.arguments(publish)));
            TimedScripts.Kept after = seen.keys().get(0);
            return new Effect(seen.reply(), new ReadWriteState(after.expires(), after.fields()), seen.messages());
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

    /** Makes the lock as it was in that state. */
    void restore(ReadWriteState state) {
        timed.restore(Map.of("lock", new TimedScripts.Kept(state.expires, "", state.fields)));
    }

    @Override
    public void close() {
        timed.close();
    }
}

package dev.holdfast.script.latch;

import dev.holdfast.Patience;
import dev.holdfast.script.TimedScripts;
import dev.holdfast.script.TimedScripts.Message;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;

/** Runs the scripts on a latch, at the time that the test sets. */
final class LatchScriptRuns implements AutoCloseable {
    private static final String COUNT = "latch";
    private static final String RECORD = "record";

    private final TimedScripts timed = new TimedScripts();

    /**
     * What is in Redis.
     *
     * @param count as it is stored; empty if there is none
     * @param countEnds when it expires, in milliseconds; -1 if never, -2 if there is none
     * @param recordEnds the same for the record
     */
    record Kept(String count, long countEnds, long recordEnds, Map<String, String> record) {
        static final Kept NOTHING = new Kept("", -2, -2, Map.of());

        long number() {
            return count.isEmpty() ? 0 : Long.parseLong(count);
        }

        String generation() {
            return record.getOrDefault("state", "0").replaceFirst(" .*", "");
        }

        /** {@return what is left of it at that time} */
        Kept at(long millis) {
            boolean counts = countEnds == -1 || countEnds >= millis;
            boolean records = recordEnds == -1 || recordEnds >= millis;
            return new Kept(
                    counts ? count : "",
                    counts ? countEnds : -2,
                    records ? recordEnds : -2,
                    records ? record : Map.of());
        }
    }

    /** What a command has done. */
    record Effect(List<Object> reply, Kept after, List<String> messages) {
        boolean isError() {
            return reply.get(0) instanceof String;
        }
    }

    /** The scripts as they are loaded into the server. */
    final class Loaded {
        private final Map<LatchVerb, String> digests = new EnumMap<>(LatchVerb.class);

        private Loaded(BinaryOperator<String> change) {
            for (LatchVerb verb : LatchVerb.values()) {
                String text = verb.isRedissons()
                        ? verb.script().replace("KEYS[2]", "'" + LatchStep.CHANNEL + "'")
                        : change.apply(verb.script(), TimedScripts.shipped(verb.script()));
                digests.put(verb, timed.load(text));
            }
        }

        /** @param refused commands of Redis that the script may not run */
        Effect run(LatchStep command, long nowMicros, List<String> refused) {
            TimedScripts.Effect seen = Patience.get(timed.send(
                    digests.getOrDefault(command.verb(), ""),
                    new TimedScripts.Setting(nowMicros, List.of(LatchStep.CHANNEL), refused),
                    List.of(COUNT, RECORD),
                    command.arguments()));
            TimedScripts.Kept count = seen.keys().get(0);
            TimedScripts.Kept record = seen.keys().get(1);
            return new Effect(
                    seen.reply(),
                    new Kept(count.text(), count.expires(), record.expires(), record.fields()),
                    seen.messages().stream().map(Message::text).toList());
        }
    }

    Loaded shipped() {
        return changed((file, text) -> text);
    }

    /** {@return the shipped scripts, each changed by that function of its file and its text} */
    Loaded changed(BinaryOperator<String> change) {
        return new Loaded(change);
    }

    /** Makes the latch as it was then. */
    void restore(Kept kept) {
        timed.restore(Map.of(
                COUNT, new TimedScripts.Kept(kept.countEnds(), kept.count(), Map.of()),
                RECORD, new TimedScripts.Kept(kept.recordEnds(), "", kept.record())));
    }

    @Override
    public void close() {
        timed.close();
    }
}

package dev.holdfast.script.line;

import java.util.Arrays;
import java.util.List;

/**
 * What a command does.
 *
 * @param state after it
 * @param reply its elements; minus the hours left of a lease, 0 for a token, which is checked with the state
 * @param messages those it publishes, in order
 */
record LineEffect(LineState state, List<Long> reply, List<Message> messages) {

    /**
     * A message, and what its receivers find.
     *
     * @param text with 0 for a token
     * @param receivers how many connections received it
     * @param tenure that the owner named in it has at that moment; 0 if it has none
     * @param hours what is left of the lease then; 0 if there is none
     */
    record Message(String channel, String text, long receivers, long tenure, int hours) {}

    static LineEffect none(LineState state, long... reply) {
        return new LineEffect(state, longs(reply), List.of());
    }

    /** {@return the same with a message} */
    LineEffect telling(Message message) {
        return new LineEffect(state, reply, List.of(message));
    }

    static List<Long> longs(long... numbers) {
        return Arrays.stream(numbers).boxed().toList();
    }
}

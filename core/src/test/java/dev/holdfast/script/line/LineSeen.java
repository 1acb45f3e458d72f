package dev.holdfast.script.line;

import dev.holdfast.script.line.LineEffect.Message;
import java.util.ArrayList;
import java.util.List;

/**
 * What a command was seen to do, as {@code observed.lua} returns it.
 *
 * @param reply its elements, the leases in it as hours
 * @param largest the largest token of a hold so far
 * @param faults what is wrong with it, whatever the command was
 */
record LineSeen(LineState state, List<Long> reply, List<Message> messages, long largest, List<String> faults) {
    /** Begins the message to watch over a lease, in which this is hours here. */
    static final String WATCH = "watch ";

    static final LineSeen NOTHING = new LineSeen(LineState.FREE, List.of(), List.of(), 0, List.of());

    static LineSeen read(LineKind kind, LineSeen before, List<Object> seen) {
        List<String> faults = new ArrayList<>();
        LineState state = LineReader.read(kind, list(seen.get(2)), number(seen.get(1)), faults);
        long token = state.hold().token();
        List<Long> reply = new ArrayList<>();
        for (Object element : list(seen.get(0))) {
            long value = number(element);
            boolean isToken = token != 0 && value == token;
            reply.add(isToken ? 0 : value < -1 ? -LineReader.hours(-value) : value);
        }
        List<Message> messages = list(seen.get(3)).stream()
                .map(message -> message(message, token))
                .toList();
        return new LineSeen(state, reply, messages, Math.max(token, before.largest), faults);
    }

    private static Message message(Object seen, long token) {
        List<?> parts = list(seen);
        String text = String.valueOf(parts.get(1));
        return new Message(
                String.valueOf(parts.get(0)),
                text.startsWith(WATCH)
                        ? WATCH + LineReader.hours(number(text.substring(WATCH.length())))
                        : text.replaceFirst(" " + token + "$", " 0"),
                number(parts.get(2)),
                number(parts.get(3)),
                LineReader.hours(number(parts.get(4))));
    }

    private static List<?> list(Object seen) {
        return (List<?>) seen;
    }

    private static long number(Object seen) {
        return Long.parseLong(String.valueOf(seen));
    }
}

package dev.holdfast.benchmarks.report;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Values as JSON: maps, lists, numbers and text. */
final class Json {
    private Json() {}

    static String of(Object value) {
        return write(value, "") + "\n";
    }

    private static String write(Object value, String indent) {
        String deeper = indent + "  ";
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry ->
                            deeper + quoted(String.valueOf(entry.getKey())) + ": " + write(entry.getValue(), deeper))
                    .collect(Collectors.joining(",\n", "{\n", "\n" + indent + "}"));
        }
        if (value instanceof Iterable<?> list) {
            StringBuilder text = new StringBuilder("[");
            String separator = "";
            for (Object element : list) {
                text.append(separator).append('\n').append(deeper).append(write(element, deeper));
                separator = ",";
            }
            return text.append(separator.isEmpty() ? "]" : "\n" + indent + "]").toString();
        }
        if (value instanceof Number number) {
            return number.doubleValue() == Math.rint(number.doubleValue())
                    ? Long.toString(number.longValue())
                    : String.format(Locale.ROOT, "%.3f", number.doubleValue());
        }
        return quoted(String.valueOf(value));
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                default -> quoted.append(c < ' ' ? String.format("\\u%04x", (int) c) : String.valueOf(c));
            }
        }
        return quoted.append('"').toString();
    }
}

package dev.holdfast.cli.top;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Entries as JSON, one object in one line. What is not known is left out. */
final class EntryJson {
    private EntryJson() {}

    static String of(Collection<Entry> entries, Instant at) {
        return text(object(
                "at", at, "entries", entries.stream().map(EntryJson::entry).toList()));
    }

    private static Map<String, Object> entry(Entry entry) {
        boolean isCondition = entry.kind() == Entry.Kind.CONDITION;
        boolean isSemaphore = entry.kind() == Entry.Kind.SEMAPHORE;
        return object(
                "kind", entry.kind().word(),
                "name", entry.name(),
                "condition", isCondition ? entry.condition() : Optional.empty(),
                "count", entry.kind() == Entry.Kind.LATCH ? entry.amount() : Optional.empty(),
                "held", isSemaphore ? entry.held() : Optional.empty(),
                "limit", entry.limit(),
                "leaseMillis", entry.lease().map(Duration::toMillis),
                "waiting", entry.waiting(),
                "holders",
                        entry.holders().stream()
                                .map(holder -> holder(holder, isSemaphore))
                                .toList(),
                "line", entry.line().stream().map(EntryJson::waiter).toList());
    }

    private static Map<String, Object> holder(Entry.Holder holder, boolean isSemaphore) {
        return object(
                "owner",
                holder.owner(),
                "label",
                holder.label(),
                "since",
                holder.since(),
                isSemaphore ? "permits" : "levels",
                holder.amount(),
                "number",
                holder.number(),
                "mode",
                holder.mode(),
                "leaseMillis",
                holder.lease().map(Duration::toMillis),
                "token",
                holder.token());
    }

    private static Map<String, Object> waiter(Entry.Waiter waiter) {
        return object("owner", waiter.owner(), "label", waiter.label(), "wants", waiter.wants());
    }

    /** {@return these keys and values, in their order, without those that are empty} */
    private static Map<String, Object> object(Object... keysAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            String key = keysAndValues[i].toString();
            present(keysAndValues[i + 1]).ifPresent(value -> object.put(key, value));
        }
        return object;
    }

    private static Optional<?> present(Object value) {
        if (value instanceof OptionalInt number) {
            return number.isPresent() ? Optional.of(number.getAsInt()) : Optional.empty();
        }
        if (value instanceof OptionalLong number) {
            return number.isPresent() ? Optional.of(number.getAsLong()) : Optional.empty();
        }
        if (value instanceof Optional<?> optional) {
            return optional;
        }
        return value.equals("") ? Optional.empty() : Optional.of(value);
    }

    private static String text(Object value) {
        if (value instanceof Map<?, ?> object) {
            return object.entrySet().stream()
                    .map(field -> text(field.getKey().toString()) + ":" + text(field.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof Collection<?> list) {
            return list.stream().map(EntryJson::text).collect(Collectors.joining(",", "[", "]"));
        }
        return value instanceof Number ? value.toString() : quoted(value.toString());
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char one = text.charAt(i);
            switch (one) {
                case '"', '\\' -> quoted.append('\\').append(one);
                default -> {
                    if (one < ' ' || Character.isSurrogate(one) || one == 0x7f) {
                        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) one));
                    } else {
                        quoted.append(one);
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }
}

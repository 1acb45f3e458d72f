package dev.holdfast.internal.kind;

import dev.holdfast.LockHolder;
import dev.holdfast.LockInfo;
import dev.holdfast.LockMode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what {@code inspect.lua} replies about the hash of a plain or fenced lock. */
final class LockHash {
    private static final String TENURE_SUFFIX = ":tenure";
    private static final String LABEL_SUFFIX = ":label";

    /** The line of clients, and what begins or ends the names of its entries. */
    private static final String LINE = "line";

    /** What only other kinds of lock have. */
    private static final String MODE = "mode";

    private static final Pattern OWNER = Pattern.compile(".*:-?\\d+");
    private static final Pattern LINE_ENTRY = Pattern.compile("line:.*|.*:line");

    /** Of a line in another format, which begins as this one, the places are counted as well. */
    private static final Pattern LINE_VALUE = Pattern.compile("\\d+ \\d+ (\\d{1,9}) \\d+ \\d+(?: .*)?");

    private static final Pattern HOLD_COUNT = Pattern.compile("\\d{1,9}");
    private static final Pattern TENURE = Pattern.compile("\\d{1,18}");

    private LockHash() {}

    /**
     * Parses the remaining lease, followed by fields and values. A later version may have added fields.
     *
     * @return the state of the lock; empty if the hash is not one of a lock
     */
    static Optional<LockInfo> read(String name, List<Object> seen) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        Map<String, String> labels = new HashMap<>();
        Map<String, Instant> since = new HashMap<>();
        int clientsInLine = 0;
        for (int i = 1; i + 1 < seen.size(); i += 2) {
            String field = seen.get(i).toString();
            String value = seen.get(i + 1).toString();
            if (field.equals(LINE)) {
                Matcher line = LINE_VALUE.matcher(value);
                clientsInLine = line.matches() ? Integer.parseInt(line.group(1)) : 0;
            } else if (field.endsWith(LABEL_SUFFIX)) {
                labels.put(without(LABEL_SUFFIX, field), value);
            } else if (field.endsWith(TENURE_SUFFIX)) {
                drawnAt(value).ifPresent(at -> since.put(without(TENURE_SUFFIX, field), at));
            } else if (OWNER.matcher(field).matches()
                    && !LINE_ENTRY.matcher(field).matches()
                    && HOLD_COUNT.matcher(value).matches()) {
                counts.put(field, Integer.parseInt(value));
            } else if (field.equals(MODE)) {
                return Optional.empty();
            }
        }
        if (counts.isEmpty() && seen.size() > 1) {
            return Optional.empty();
        }
        List<LockHolder> holders = counts.entrySet().stream()
                .map(held -> LockHolder.of(
                        held.getKey(),
                        labels.get(clientOf(held.getKey())),
                        held.getValue(),
                        since.get(held.getKey()),
                        LockMode.EXCLUSIVE))
                .toList();
        Duration remaining = seen.get(0) instanceof Long millis && millis >= 0 ? Duration.ofMillis(millis) : null;
        return Optional.of(
                LockInfo.of(name, holders, remaining, OptionalInt.empty()).withClientsInLine(clientsInLine));
    }

    private static Optional<Instant> drawnAt(String tenure) {
        return TENURE.matcher(tenure).matches() ? TenureTime.drawnAt(Long.parseLong(tenure)) : Optional.empty();
    }

    private static String without(String suffix, String field) {
        return field.substring(0, field.length() - suffix.length());
    }

    /** {@return the client of an owner: the part before the last colon, which its own id follows} */
    private static String clientOf(String owner) {
        return owner.substring(0, Math.max(0, owner.lastIndexOf(':')));
    }
}

package dev.holdfast.internal.kind;

import dev.holdfast.SemaphoreInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What {@code sem-inspect.lua} replies about a semaphore: the time, then fields and values. A hold that has ended is left out, though it
 * may still be in the hash, and so is the place of a client that has left the line.
 */
final class SemaphoreHash {
    private static final String HOLD = "hold:";
    private static final Pattern HELD = Pattern.compile("(\\d{1,18}) (\\d{1,9}) (\\d{1,9}) (\\d{1,18}) (.*)");
    private static final Pattern STATE = Pattern.compile("\\d+ \\d+ \\d+ (\\d{1,9}) \\d+ \\d+ \\d+.*");
    private static final Pattern PLACE = Pattern.compile("line:(\\d{1,18})");
    private static final Pattern REQUEST = Pattern.compile("(\\S+) \\d+ (\\d{1,9}) (\\d{1,9}) \\d+ (.*)");

    private SemaphoreHash() {}

    static Optional<SemaphoreInfo> read(String name, List<Object> seen) {
        if (!(seen.get(0) instanceof Long nowMillis)) {
            return Optional.empty();
        }
        List<SemaphoreInfo.Holder> holders = new ArrayList<>();
        SortedMap<Long, SemaphoreInfo.Request> line = new TreeMap<>();
        OptionalInt limit = OptionalInt.empty();
        for (int i = 1; i + 1 < seen.size(); i += 2) {
            String field = seen.get(i).toString();
            String value = seen.get(i + 1).toString();
            Matcher state = STATE.matcher(value);
            Matcher held = HELD.matcher(value);
            Matcher place = PLACE.matcher(field);
            Matcher request = REQUEST.matcher(value);
            if (field.equals("state") && state.matches()) {
                limit = OptionalInt.of(Integer.parseInt(state.group(1)));
            } else if (field.startsWith(HOLD) && held.matches()) {
                Duration left = Duration.ofMillis(Long.parseLong(held.group(4)) - nowMillis);
                if (left.compareTo(Duration.ZERO) > 0) {
                    holders.add(holder(field.substring(HOLD.length()), held, left));
                }
            } else if (place.matches() && request.matches()) {
                line.put(Long.parseLong(place.group(1)), request(request));
            }
        }
        if (seen.size() > 1 && limit.isEmpty()) {
            return Optional.empty();
        }
        holders.sort(Comparator.comparingInt(SemaphoreInfo.Holder::number));
        return Optional.of(SemaphoreInfo.of(name, limit, holders, List.copyOf(line.values())));
    }

    private static SemaphoreInfo.Holder holder(String owner, Matcher held, Duration left) {
        return SemaphoreInfo.Holder.of(
                owner,
                labelOrNull(held.group(5)),
                Integer.parseInt(held.group(2)),
                Integer.parseInt(held.group(3)) - 1,
                TenureTime.drawnAt(Long.parseLong(held.group(1))).orElse(null),
                left);
    }

    private static SemaphoreInfo.Request request(Matcher waiting) {
        return SemaphoreInfo.Request.of(
                waiting.group(1),
                labelOrNull(waiting.group(4)),
                Integer.parseInt(waiting.group(2)),
                Integer.parseInt(waiting.group(3)));
    }

    private static @Nullable String labelOrNull(String label) {
        return label.isEmpty() ? null : label;
    }

    /** {@return the tenure with which this owner has permits, or had until its lease ended; 0 if it has none} */
    static long tenureOf(String owner, List<Object> seen) {
        for (int i = 1; i + 1 < seen.size(); i += 2) {
            Matcher held = HELD.matcher(seen.get(i + 1).toString());
            if (seen.get(i).toString().equals(HOLD + owner) && held.matches()) {
                return Long.parseLong(held.group(1));
            }
        }
        return 0;
    }
}

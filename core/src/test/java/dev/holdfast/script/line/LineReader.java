package dev.holdfast.script.line;

import dev.holdfast.script.line.LineState.Hold;
import dev.holdfast.script.line.LineState.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a lock from its fields, and checks that they fit together: one owner with its tenure and an expiry, or no key at
 * all; as many places as the line says, each with an entry, of one client each.
 */
final class LineReader {
    private static final Pattern OWNER = Pattern.compile("\\w+:\\d+");
    private static final Pattern LINE = Pattern.compile("(\\d+) (\\d+) (\\d+) (\\d+) (\\d+)");
    private static final Pattern ENTRY = Pattern.compile("(\\w+:\\d+) (\\d+) (\\d+) ([01]) (.*)");
    private static final String PLACE = "line:";
    private static final String PLACE_OF = ":line";
    private static final int MILLIS_PER_HOUR = 3_600_000;

    private final LineKind kind;
    private final Map<String, String> fields = new TreeMap<>();
    private final long left;
    private final List<String> faults = new ArrayList<>();

    private LineReader(LineKind kind, List<?> fieldsAndValues, long left) {
        this.kind = kind;
        for (int i = 0; i < fieldsAndValues.size(); i += 2) {
            fields.put(String.valueOf(fieldsAndValues.get(i)), String.valueOf(fieldsAndValues.get(i + 1)));
        }
        this.left = left;
    }

    /** Reads what HGETALL and PTTL have returned, and adds what is wrong with it to the faults. */
    static LineState read(LineKind kind, List<?> fieldsAndValues, long left, List<String> faults) {
        LineReader reader = new LineReader(kind, fieldsAndValues, left);
        LineState state = reader.state();
        faults.addAll(reader.faults);
        return state;
    }

    /** {@return these milliseconds, rounded up to hours} */
    static int hours(long millis) {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(0, (millis + MILLIS_PER_HOUR - 1) / MILLIS_PER_HOUR));
    }

    private LineState state() {
        if (fields.isEmpty()) {
            return LineState.FREE;
        }
        if (left <= 0) {
            faults.add("the key has no expiry");
        }
        Hold hold = hold();
        Matcher line = LINE.matcher(take("line", "1 0 0 0 0"));
        if (!line.matches()) {
            faults.add("the line cannot be read");
            return LineState.FREE.heldBy(hold);
        }
        List<Waiter> waiters = waiters(number(line.group(1)), number(line.group(2)));
        if (waiters.size() != number(line.group(3))) {
            faults.add("the line counts " + line.group(3) + " entries of " + waiters.size());
        }
        if (!fields.isEmpty()) {
            faults.add("fields of no hold and no place: " + fields);
        }
        return new LineState(hold, waiters, number(line.group(4)), number(line.group(5)));
    }

    private Hold hold() {
        List<String> owners = fields.keySet().stream()
                .filter(OWNER.asMatchPredicate())
                .filter(o -> !o.startsWith(PLACE))
                .toList();
        if (owners.size() != 1) {
            faults.add("the owners are " + owners);
            return Hold.NONE;
        }
        String owner = owners.get(0);
        String label = take(LineCommand.clientOf(owner) + ":label", "");
        if (!label.isEmpty() && !label.equals(LineCommand.labelOf(owner))) {
            faults.add("the label of " + owner + " is " + label);
        }
        int holds = Math.toIntExact(number(take(owner, "0")));
        long tenure = number(take(owner + ":tenure", "0"));
        if (holds < 1) {
            faults.add("the count is " + holds);
        }
        return new Hold(owner, tenure, holds, hours(left), !label.isEmpty(), number(take(owner + ":token", "0")));
    }

    private List<Waiter> waiters(long first, long last) {
        List<Waiter> waiters = new ArrayList<>();
        for (long place = first; place <= last; place++) {
            String text = take(PLACE + place, "");
            Matcher entry = ENTRY.matcher(text);
            if (entry.matches()) {
                String owner = entry.group(1);
                waiters.add(new Waiter(owner, number(entry.group(2)), hours(number(entry.group(3)))));
                String unit = kind.unit(owner);
                if (!take(unit + PLACE_OF, "").equals(String.valueOf(place))) {
                    faults.add("place " + place + " is not that of its client");
                }
                if (!entry.group(5).equals(LineCommand.labelOf(owner))) {
                    faults.add("the label of " + owner + " in line is " + entry.group(5));
                }
            } else if (!text.isEmpty()) {
                faults.add("place " + place + " cannot be read: " + text);
            }
        }
        return waiters;
    }

    private String take(String field, String missing) {
        String value = fields.remove(field);
        return value == null ? missing : value;
    }

    private static long number(String text) {
        return Long.parseLong(text);
    }
}

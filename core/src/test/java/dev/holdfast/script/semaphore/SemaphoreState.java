package dev.holdfast.script.semaphore;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** A semaphore as its fields say, and what is wrong with them. */
final class SemaphoreState {
    static final SemaphoreState FREE = new SemaphoreState(-2, Map.of());

    private static final Pattern HOLD = Pattern.compile("(\\d+) (\\d+) (\\d+) (\\d+) (.*)");
    private static final Pattern ENTRY = Pattern.compile("(\\w+:\\d+) (\\d+) (\\d+) (\\d+) (\\d+) (.*)");
    private static final Pattern STATE =
            Pattern.compile("(\\d+) (\\d+) (\\d+) (\\d+) (\\d+) (\\d+) (\\d+)((?: \\d+)*)");

    /** @param until when it ends, in milliseconds */
    record Hold(String owner, long tenure, long permits, long number, long until, String label) {
        boolean isOver(long nowMs) {
            return until <= nowMs;
        }

        /** {@return the same, whatever its number is} */
        Hold unnumbered() {
            return new Hold(owner, tenure, permits, 0, until, label);
        }
    }

    /** A request in line. */
    record Entry(String owner, long tenure, long permits, long limit, long lease, String label) {
        String client() {
            return SemaphoreCommand.clientOf(owner);
        }

        boolean isOf(Hold hold) {
            return owner.equals(hold.owner()) && tenure == hold.tenure();
        }
    }

    /** A place in line; the entry is null once the client has left. */
    record Place(String client, @Nullable Entry entry) {}

    /** When the key expires, in milliseconds; -1 if never, -2 if there is none. */
    final long expires;

    final Map<String, String> fields;
    final Map<String, Hold> holds = new TreeMap<>();
    final TreeMap<Long, Place> line = new TreeMap<>();
    long held;
    long due;
    long limit;
    long first = 1;
    long last;

    /** What is wrong with it. */
    final List<String> faults = new ArrayList<>();

    SemaphoreState(long expires, Map<String, String> fields) {
        this.expires = expires;
        this.fields = fields;
        if (!fields.isEmpty()) {
            read();
        }
    }

    boolean isFree() {
        return fields.isEmpty();
    }

    boolean isSameAs(SemaphoreState other) {
        return expires == other.expires && fields.equals(other.fields);
    }

    @Nullable
    Hold hold(String owner, long tenure) {
        Hold hold = holds.get(owner);
        return hold != null && hold.tenure() == tenure ? hold : null;
    }

    @Nullable
    String clientAt(long at) {
        Place place = line.get(at);
        return place == null ? null : place.client();
    }

    boolean isWaiting(long at) {
        Place place = line.get(at);
        return place != null && place.entry() != null;
    }

    List<Entry> waiting() {
        List<Entry> entries = new ArrayList<>();
        for (Place place : line.values()) {
            Entry entry = place.entry();
            if (entry != null) {
                entries.add(entry);
            }
        }
        return entries;
    }

    private void require(boolean kept, String rule) {
        if (!kept) {
            faults.add(rule);
        }
    }

    private void read() {
        Map<String, String> left = new LinkedHashMap<>(fields);
        Matcher state = STATE.matcher(taken(left, "state"));
        if (!state.matches()) {
            faults.add("the state cannot be read");
            return;
        }
        held = number(state.group(1));
        due = number(state.group(3));
        limit = number(state.group(4));
        first = number(state.group(5));
        last = number(state.group(6));
        for (Map.Entry<String, String> field : fields.entrySet()) {
            String name = field.getKey();
            if (name.startsWith("hold:")) {
                readHold(name.substring(5), taken(left, name));
            } else if (name.startsWith("line:")) {
                String client = readPlace(number(name.substring(5)), taken(left, name));
                require(taken(left, client + ":line").equals(name.substring(5)), "a place is not that of its client");
            }
        }
        require(left.isEmpty(), "unknown fields " + left);
        requireHolds(number(state.group(2)), state.group(8).strip());
        requireLine(number(state.group(7)));
    }

    private void readHold(String owner, String text) {
        Matcher parts = HOLD.matcher(text);
        require(parts.matches(), "a hold cannot be read");
        if (parts.matches()) {
            holds.put(
                    owner,
                    new Hold(
                            owner,
                            number(parts.group(1)),
                            number(parts.group(2)),
                            number(parts.group(3)),
                            number(parts.group(4)),
                            parts.group(5)));
        }
    }

    private String readPlace(long at, String text) {
        Matcher parts = ENTRY.matcher(text);
        boolean waits = parts.matches();
        require(waits || text.endsWith(":"), "a place cannot be read");
        String client = text.replaceFirst(":.*", "");
        Entry entry = waits
                ? new Entry(
                        parts.group(1),
                        number(parts.group(2)),
                        number(parts.group(3)),
                        number(parts.group(4)),
                        number(parts.group(5)),
                        parts.group(6))
                : null;
        line.put(at, new Place(client, entry));
        return client;
    }

    private void requireHolds(long top, String free) {
        require(!holds.isEmpty(), "the key is there, and nobody has permits");
        require(
                held == holds.values().stream().mapToLong(Hold::permits).sum(),
                "the permits held are those of the holds");
        List<Long> numbers =
                new ArrayList<>(holds.values().stream().map(Hold::number).toList());
        require(new TreeSet<>(numbers).size() == numbers.size(), "two holds have one number");
        for (String number : free.isEmpty() ? new String[0] : free.split(" ", -1)) {
            numbers.add(number(number));
        }
        require(
                numbers.stream()
                        .sorted()
                        .toList()
                        .equals(LongStream.rangeClosed(1, top).boxed().toList()),
                "each number is that of a hold or free, not " + numbers + " of " + top);
        for (Hold hold : holds.values()) {
            require(due <= hold.until(), "a hold ends before due");
            require(expires >= hold.until() + 30_000, "the key ends with a hold");
        }
    }

    private void requireLine(long count) {
        require(count == waiting().size(), "the count of the clients in line");
        require(
                line.keySet()
                        .equals(new TreeSet<>(
                                LongStream.rangeClosed(first, last).boxed().toList())),
                "the places of the line");
        require(
                line.isEmpty() || line.firstEntry().getValue().entry() != null,
                "the first place is of a client that left");
        for (Entry entry : waiting()) {
            require(!holds.containsKey(entry.owner()), "an owner has permits, and waits");
        }
        waiting().stream()
                .findFirst()
                .ifPresent(head -> require(held + head.permits() > head.limit(), "the first in line waits, and fits"));
    }

    private static String taken(Map<String, String> left, String field) {
        String value = left.remove(field);
        return value == null ? "" : value;
    }

    private static long number(String text) {
        return Long.parseLong(text);
    }

    @Override
    public String toString() {
        return isFree() ? "free" : fields + " until " + expires;
    }
}

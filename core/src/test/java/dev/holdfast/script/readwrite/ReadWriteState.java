package dev.holdfast.script.readwrite;

import dev.holdfast.script.readwrite.ReadWriteCommand.Side;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A lock as its fields say, and what is wrong with them: the fields fit together, and either one writer or readers hold it.
 */
final class ReadWriteState {
    static final long NO_KEY = -2;

    private static final Pattern OWNER = Pattern.compile("\\w+:-?\\d+");
    private static final Pattern ENTRY = Pattern.compile("(\\w+:-?\\d+) (\\d+) (\\d+) (.*)");
    private static final Pattern FIVE = Pattern.compile("(\\d+) (\\d+) (\\d+) (\\d+) (\\d+)");
    private static final Pattern THREE = Pattern.compile("(\\d+) (\\d+) (\\d+)");

    /**
     * A hold.
     *
     * @param until when its lease ends, in milliseconds; 0 for a writer, whose lease is that of the key
     */
    record Hold(String owner, long tenure, long count, long until, String label) {
        Side side() {
            return until > 0 ? Side.READ : Side.WRITE;
        }
    }

    /** A client in line. */
    record Entry(String owner, long tenure, long lease, String label) {
        String client() {
            return ReadWriteCommand.clientOf(owner);
        }
    }

    /** When the key expires, in milliseconds; -1 if never, {@link #NO_KEY} if there is none. */
    final long expires;

    /** All fields. */
    final Map<String, String> fields;

    final Map<String, Hold> holds = new TreeMap<>();

    /** The writers in line by their places, and the places of the clients, which include those that have left. */
    final TreeMap<Long, Entry> writers = new TreeMap<>();

    final Map<String, Long> places = new TreeMap<>();

    /** The readers in line by their clients. */
    final Map<String, Entry> readers = new TreeMap<>();

    long first = 1;
    long last;
    long grants;
    long opened;
    long due;
    long holding;

    /** How many wait as the lines say. */
    long writersCounted;

    long readersCounted;

    /** What is wrong with it. */
    final List<String> faults = new ArrayList<>();

    private final Map<String, String> left;

    ReadWriteState(long expires, Map<String, String> fields) {
        this.expires = expires;
        this.fields = fields;
        this.left = new LinkedHashMap<>(fields);
        if (isOurs()) {
            readLines();
            readHolds();
            require(left.isEmpty(), "unknown fields " + left);
        }
    }

    boolean isFree() {
        return expires == NO_KEY;
    }

    /** {@return whether it is a lock that our scripts have acquired} */
    boolean isOurs() {
        return isShared() || ("write".equals(mode()) && fields.containsKey("writers"));
    }

    boolean isShared() {
        return "shared".equals(mode());
    }

    @Nullable
    private String mode() {
        return fields.get("mode");
    }

    /** {@return whether it is held by readers alone whose leases have all ended} */
    boolean isOver(long nowMs) {
        return isShared() && holds.values().stream().allMatch(hold -> hold.until() < nowMs);
    }

    @Nullable
    Hold hold(String owner, long tenure) {
        Hold hold = holds.get(owner);
        return hold != null && hold.tenure() == tenure ? hold : null;
    }

    boolean isSameAs(ReadWriteState other) {
        return expires == other.expires && fields.equals(other.fields);
    }

    private void readLines() {
        take("mode");
        Matcher writing = FIVE.matcher(taken("writers", "1 0 0 0 0"));
        Matcher reading = THREE.matcher(taken("readers", "0 0 0"));
        if (!writing.matches() || !reading.matches()) {
            faults.add("the lines cannot be read");
            return;
        }
        first = number(writing.group(1));
        last = number(writing.group(2));
        grants = number(writing.group(4));
        opened = number(writing.group(5));
        due = number(reading.group(3));
        writersCounted = number(writing.group(3));
        readersCounted = number(reading.group(1));
        for (String field : fields.keySet()) {
            if (field.startsWith("writer:")) {
                readWriter(number(field.substring("writer:".length())), take(field));
            } else if (field.endsWith(":reader")) {
                String client = field.replace(":reader", "");
                Entry entry = entry(take(field));
                require(entry != null && entry.client().equals(client), "an entry of a reader cannot be read");
                if (entry != null) {
                    readers.put(client, entry);
                }
            }
        }
        require(writersCounted == writers.size(), "the count of the writers in line");
        require(readersCounted == readers.size(), "the count of the readers in line");
        require(last < first || writers.containsKey(last), "nobody waits at the last place");
        require(readers.isEmpty() || !isShared() || !writers.isEmpty(), "a reader waits for no writer");
        require(opened > 0 || (writers.isEmpty() && readers.isEmpty()), "the line was never opened");
        holding = number(reading.group(2));
    }

    private void readWriter(long place, String text) {
        Entry entry = entry(text);
        String client = entry == null ? text.replaceFirst(":$", "") : entry.client();
        require(entry != null || text.equals(client + ":"), "an entry of a writer cannot be read");
        require(take(client + ":writer").equals(String.valueOf(place)), "a place is not that of its client");
        require(place >= first && place <= last, "a place is outside of the line");
        places.put(client, place);
        if (entry != null) {
            writers.put(place, entry);
        }
    }

    private static @Nullable Entry entry(String text) {
        Matcher parts = ENTRY.matcher(text);
        return parts.matches()
                ? new Entry(parts.group(1), number(parts.group(2)), number(parts.group(3)), parts.group(4))
                : null;
    }

    private void readHolds() {
        require(expires >= 0, "the key has no expiry");
        for (String owner : fields.keySet()) {
            if (OWNER.matcher(owner).matches() && left.containsKey(owner) && !owner.startsWith("writer:")) {
                long count = number(take(owner));
                long tenure = number(taken(owner + ":tenure", "0"));
                String until = taken(owner + ":until", "");
                String label = until.isEmpty()
                        ? taken(ReadWriteCommand.clientOf(owner) + ":label", "")
                        : until.replaceFirst("^\\d+ ", "");
                holds.put(
                        owner,
                        new Hold(
                                owner,
                                tenure,
                                count,
                                until.isEmpty() ? 0 : number(until.replaceFirst(" .*", "")),
                                label));
            }
        }
        require(!holds.isEmpty(), "the key exists, and nobody holds the lock");
        require(
                holds.values().stream().allMatch(hold -> hold.count() > 0 && hold.tenure() > 0),
                "a hold without count");
        boolean reading = holds.values().stream().allMatch(hold -> hold.side() == Side.READ);
        require(reading == isShared() && (reading || holds.size() == 1), "there is a writer, and another hold");
        if (reading) {
            require(holding == holds.size(), "the count of the readers that hold it");
            require(
                    holds.values().stream().allMatch(hold -> due > 0 && due <= hold.until()),
                    "a lease ends before due");
            require(holds.values().stream().allMatch(hold -> hold.until() <= expires), "the key ends before a lease");
        }
    }

    private void require(boolean kept, String rule) {
        if (!kept) {
            faults.add(rule);
        }
    }

    private String take(String field) {
        return taken(field, "");
    }

    private String taken(String field, String missing) {
        String value = left.remove(field);
        return value == null ? missing : value;
    }

    private static long number(String text) {
        return Long.parseLong(text);
    }

    @Override
    public String toString() {
        return isFree() ? "free" : fields + " until " + expires;
    }
}

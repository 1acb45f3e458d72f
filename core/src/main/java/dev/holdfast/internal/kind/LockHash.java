package dev.holdfast.internal.kind;

import dev.holdfast.LockHolder;
import dev.holdfast.LockInfo;
import dev.holdfast.LockMode;
import dev.holdfast.LockType;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What {@code inspect.lua} replies about the hash of a plain or fenced lock; that of a read-write lock is a {@link ReadWriteHash}. */
class LockHash {
    private static final String TENURE_SUFFIX = ":tenure";
    private static final String LABEL_SUFFIX = ":label";
    private static final String TOKEN_SUFFIX = ":token";
    private static final String LINE_SUFFIX = ":line";

    /** The line of clients, and what begins or ends the names of its entries. */
    private static final String LINE = "line";

    /** What only other kinds of lock have. */
    private static final String MODE = "mode";

    private static final Pattern OWNER = Pattern.compile(".*:-?\\d+");
    private static final Pattern LINE_ENTRY = Pattern.compile("line:.*|.*:line");
    private static final Pattern PLACE = Pattern.compile("line:(\\d{1,18})");
    private static final Pattern REQUEST = Pattern.compile("(\\S+) \\d+ \\d+ ([01]) (.*)");

    /** Of a line in another format, which begins as this one, the places are counted as well. */
    private static final Pattern LINE_VALUE = Pattern.compile("\\d+ \\d+ (\\d{1,9}) \\d+ \\d+(?: .*)?");

    private static final Pattern HOLD_COUNT = Pattern.compile("\\d{1,9}");
    private static final Pattern TENURE = Pattern.compile("\\d{1,18}");
    private static final Pattern TOKEN = TENURE;

    private final Map<String, Integer> counts = new LinkedHashMap<>();
    private final Map<String, String> labels = new HashMap<>();
    private final Map<String, Instant> since = new HashMap<>();
    private final Map<String, Long> tokens = new HashMap<>();
    private final TreeMap<Long, Matcher> requests = new TreeMap<>();

    /** The clients and, in the line of a fair lock, the owners that have a place. */
    private final Set<String> placed = new HashSet<>();

    private int clientsInLine;
    private @Nullable String mode;

    /**
     * Parses the remaining lease, followed by fields and values. A later version may have added fields.
     *
     * @return the state of the lock; empty if the hash is not one of a lock
     */
    static Optional<LockInfo> read(String name, List<Object> seen) {
        return new LockHash().parse(name, seen, 1);
    }

    /**
     * {@return whether the hash is one of a read-write lock} No other lock has a mode.
     *
     * @param first the index of the first field
     */
    static boolean hasMode(List<Object> seen, int first) {
        return IntStream.iterate(first, i -> i < seen.size(), i -> i + 2)
                .anyMatch(i -> seen.get(i).toString().equals(MODE));
    }

    /** @param first the index of the first field */
    final Optional<LockInfo> parse(String name, List<Object> seen, int first) {
        for (int i = first; i + 1 < seen.size(); i += 2) {
            String field = seen.get(i).toString();
            String value = seen.get(i + 1).toString();
            if (field.equals(MODE)) {
                mode = value;
            } else if (!isOther(field, value)) {
                noteHold(field, value);
            }
        }
        if (seen.size() > first && (counts.isEmpty() || isReadWrite() != (mode != null))) {
            return Optional.empty();
        }
        List<LockHolder> holders = counts.entrySet().stream()
                .filter(held -> isShown(held.getKey()))
                .map(held -> holder(held.getKey(), held.getValue()))
                .toList();
        Duration ofKey = seen.get(0) instanceof Long millis && millis >= 0 ? Duration.ofMillis(millis) : null;
        Duration remaining = holders.isEmpty() ? null : remaining(ofKey);
        return Optional.of(LockInfo.of(name, holders, remaining, OptionalInt.empty())
                .withClientsInLine(clientsInLine)
                .withLine(line()));
    }

    /** {@return the requests in line, in their order} */
    List<LockInfo.Request> line() {
        return requests.values().stream()
                .map(request -> request(request.group(1), request.group(3), typeOf(request)))
                .toList();
    }

    private LockType typeOf(Matcher request) {
        if (placed.contains(request.group(1))) {
            return LockType.FAIR;
        }
        return request.group(2).equals("1") ? LockType.FENCED : LockType.PLAIN;
    }

    static LockInfo.Request request(String owner, String label, LockType type) {
        return LockInfo.Request.of(owner, label.isEmpty() ? null : label, type);
    }

    private LockHolder holder(String owner, int count) {
        return LockHolder.of(owner, labelOf(owner), count, since.get(owner), modeOf(owner))
                .withRemainingLease(remainingOf(owner))
                .withToken(tokens.containsKey(owner) ? OptionalLong.of(tokens.get(owner)) : OptionalLong.empty());
    }

    /** {@return how long the owner's lease lasts, if it is not that of the lock} */
    @Nullable
    Duration remainingOf(String owner) {
        return null;
    }

    /** {@return whether such a hash has a mode, as that of a read-write lock alone} */
    boolean isReadWrite() {
        return false;
    }

    /** {@return the mode; null if there is none} */
    final @Nullable String mode() {
        return mode;
    }

    /** {@return whether this is a field of another sort than those of a hold; it is taken note of} */
    boolean isOther(String field, String value) {
        if (field.equals(LINE)) {
            waits(LINE_VALUE.matcher(value));
            return true;
        }
        Matcher place = PLACE.matcher(field);
        Matcher request = REQUEST.matcher(value);
        if (place.matches() && request.matches()) {
            requests.put(Long.parseLong(place.group(1)), request);
        } else if (field.endsWith(LINE_SUFFIX)) {
            placed.add(without(LINE_SUFFIX, field));
        }
        return LINE_ENTRY.matcher(field).matches();
    }

    /** Takes note of so many clients in a line. */
    final void waits(Matcher line) {
        clientsInLine += line.matches() ? Integer.parseInt(line.group(1)) : 0;
    }

    private void noteHold(String field, String value) {
        if (field.endsWith(LABEL_SUFFIX)) {
            labels.put(without(LABEL_SUFFIX, field), value);
        } else if (field.endsWith(TENURE_SUFFIX)) {
            drawnAt(value).ifPresent(at -> since.put(without(TENURE_SUFFIX, field), at));
        } else if (field.endsWith(TOKEN_SUFFIX) && TOKEN.matcher(value).matches()) {
            tokens.put(without(TOKEN_SUFFIX, field), Long.parseLong(value));
        } else if (isOwner(field) && HOLD_COUNT.matcher(value).matches()) {
            counts.put(field, Integer.parseInt(value));
        }
    }

    /** {@return whether this field is an owner, if its value is a hold count} */
    boolean isOwner(String field) {
        return OWNER.matcher(field).matches();
    }

    /** {@return whether this owner, which has a hold count, is one of the holders} */
    boolean isShown(String owner) {
        return true;
    }

    /** {@return when the last of the holders' leases ends, given the expiry of the key} */
    @Nullable
    Duration remaining(@Nullable Duration ofKey) {
        return ofKey;
    }

    @Nullable
    String labelOf(String owner) {
        return labels.get(clientOf(owner));
    }

    LockMode modeOf(String owner) {
        return LockMode.EXCLUSIVE;
    }

    private static Optional<Instant> drawnAt(String tenure) {
        return TENURE.matcher(tenure).matches() ? TenureTime.drawnAt(Long.parseLong(tenure)) : Optional.empty();
    }

    static String without(String suffix, String field) {
        return field.substring(0, field.length() - suffix.length());
    }

    /** {@return the client of an owner: the part before the last colon, which its own id follows} */
    private static String clientOf(String owner) {
        return owner.substring(0, Math.max(0, owner.lastIndexOf(':')));
    }
}

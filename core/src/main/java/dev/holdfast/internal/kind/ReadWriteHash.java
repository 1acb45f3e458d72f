package dev.holdfast.internal.kind;

import dev.holdfast.LockInfo;
import dev.holdfast.LockMode;
import dev.holdfast.LockType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What {@code rw-inspect.lua} replies about the hash of a read-write lock: one writer, or a hold for each client that reads. A
 * reader whose lease has ended is left out, although its hold may still be in the hash.
 */
final class ReadWriteHash extends LockHash {
    private static final String UNTIL_SUFFIX = ":until";

    /** What ends the name of a writer of Redisson. */
    private static final String THEIR_WRITER_SUFFIX = ":write";

    /** The index of the first field, after the lease that is left and the time. */
    private static final int FIRST = 2;

    private static final Pattern LINE_ENTRY = Pattern.compile("writer:.*|.*:writer|.*:reader");
    private static final Pattern WRITERS = Pattern.compile("\\d+ \\d+ (\\d{1,9}) \\d+ \\d+(?: .*)?");
    private static final Pattern READERS = Pattern.compile("(\\d{1,9}) \\d+ \\d+(?: .*)?");
    private static final Pattern PLACE = Pattern.compile("writer:(\\d{1,18})");

    /** A place without an owner id is one that its client has left. */
    private static final Pattern REQUEST = Pattern.compile("(\\S+:-?\\d+) \\d+ \\d+ (.*)");

    private static final Pattern UNTIL = Pattern.compile("(\\d{1,18}) (.*)");

    /** Of a reader: when its lease ends, by the server's clock, and the label of its client; empty if that has none. */
    private record Reader(long untilMillis, String label) {}

    private final Map<String, Reader> readers = new HashMap<>();
    private final TreeMap<Long, LockInfo.Request> writing = new TreeMap<>();
    private final List<LockInfo.Request> reading = new ArrayList<>();
    private final @Nullable LockMode side;
    private final long nowMillis;

    private ReadWriteHash(@Nullable LockMode side, long nowMillis) {
        this.side = side;
        this.nowMillis = nowMillis;
    }

    /** @param side whose holders are shown; null for both sides */
    static Optional<LockInfo> read(String name, List<Object> seen, @Nullable LockMode side) {
        return seen.get(1) instanceof Long nowMillis
                ? new ReadWriteHash(side, nowMillis).parse(name, seen, FIRST)
                : Optional.empty();
    }

    /** {@return which other kind of lock the hash is one of; null if it is none} */
    static @Nullable String otherKind(String name, List<Object> seen) {
        boolean isExclusive = !hasMode(seen, FIRST)
                && new LockHash()
                        .parse(name, seen, FIRST)
                        .filter(LockInfo::isLocked)
                        .isPresent();
        return isExclusive ? "exclusive lock" : null;
    }

    @Override
    boolean isReadWrite() {
        return true;
    }

    @Override
    boolean isOther(String field, String value) {
        switch (field) {
            case "writers" -> waits(WRITERS.matcher(value));
            case "readers" -> waits(READERS.matcher(value));
            default -> {
                Matcher until = UNTIL.matcher(value);
                if (field.endsWith(UNTIL_SUFFIX) && until.matches()) {
                    readers.put(
                            without(UNTIL_SUFFIX, field), new Reader(Long.parseLong(until.group(1)), until.group(2)));
                    return true;
                }
                noteRequest(field, REQUEST.matcher(value));
                return LINE_ENTRY.matcher(field).matches();
            }
        }
        return true;
    }

    private void noteRequest(String field, Matcher request) {
        Matcher place = PLACE.matcher(field);
        if (place.matches() && request.matches()) {
            writing.put(Long.parseLong(place.group(1)), request(request.group(1), request.group(2), LockType.WRITE));
        } else if (field.endsWith(":reader") && request.matches()) {
            reading.add(request(request.group(1), request.group(2), LockType.READ));
        }
    }

    /** A write phase is followed by all that wait to read, and a read phase by the first writer. */
    @Override
    List<LockInfo.Request> line() {
        List<LockInfo.Request> line = new ArrayList<>(writing.values());
        line.addAll(line.isEmpty() || isWritten() ? 0 : 1, reading);
        return line;
    }

    private boolean isWritten() {
        return "write".equals(mode());
    }

    @Override
    boolean isOwner(String field) {
        return super.isOwner(field.endsWith(THEIR_WRITER_SUFFIX) ? without(THEIR_WRITER_SUFFIX, field) : field);
    }

    @Override
    boolean isShown(String owner) {
        Reader reader = readers.get(owner);
        boolean isOver = reader != null && reader.untilMillis() < nowMillis;
        return !isOver && (side == null || side == modeOf(owner));
    }

    @Override
    @Nullable
    Duration remainingOf(String owner) {
        Reader reader = readers.get(owner);
        return reader == null ? null : Duration.ofMillis(reader.untilMillis() - nowMillis);
    }

    /** The key may outlive its readers: theirs is the latest end of those that are left. */
    @Override
    @Nullable
    Duration remaining(@Nullable Duration ofKey) {
        return readers.values().stream()
                .max((one, other) -> Long.compare(one.untilMillis(), other.untilMillis()))
                .map(last -> Duration.ofMillis(Math.max(0, last.untilMillis() - nowMillis)))
                .orElse(ofKey);
    }

    @Override
    @Nullable
    String labelOf(String owner) {
        Reader reader = readers.get(owner);
        return reader == null || reader.label().isEmpty() ? super.labelOf(owner) : reader.label();
    }

    @Override
    LockMode modeOf(String owner) {
        return isWritten() ? LockMode.EXCLUSIVE : LockMode.SHARED;
    }
}

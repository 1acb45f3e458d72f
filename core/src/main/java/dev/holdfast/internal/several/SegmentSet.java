package dev.holdfast.internal.several;

import dev.holdfast.internal.kind.LockKey;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** The segments of a lock, and the lock of each of them. */
public final class SegmentSet {
    /** A client subscribes to each segment that it waits for; a larger number is more likely to be a mistake. */
    private static final int MOST = 1_024;

    private final String name;
    private final List<LockKey> keys;

    /**
     * @param name the name of the whole
     * @param size how many segments there are
     * @param keys makes the lock of a name
     * @throws IllegalArgumentException if the size is not from 1 to 1,024
     */
    public SegmentSet(String name, int size, Function<String, LockKey> keys) {
        if (size < 1 || size > MOST) {
            throw new IllegalArgumentException(
                    "the number of segments must be from 1 to " + MOST + ", was " + size + " for lock '" + name + "'");
        }
        this.name = name;
        this.keys = IntStream.range(0, size)
                .mapToObj(segment -> keys.apply(name + ":" + segment))
                .toList();
    }

    public String name() {
        return name;
    }

    public int size() {
        return keys.size();
    }

    /** {@return the lock of a segment, whose number is checked} */
    public LockKey key(int segment) {
        return keys.get(index(segment));
    }

    /**
     * {@return the number of a segment}
     *
     * @throws IllegalArgumentException if there is no such segment
     */
    public int index(int segment) {
        if (segment < 0 || segment >= keys.size()) {
            throw new IllegalArgumentException(
                    "a segment of lock '" + name + "' must be from 0 to " + (keys.size() - 1) + ", was " + segment);
        }
        return segment;
    }

    /** {@return all segments} */
    public BitSet all() {
        BitSet all = new BitSet(keys.size());
        all.set(0, keys.size());
        return all;
    }
}

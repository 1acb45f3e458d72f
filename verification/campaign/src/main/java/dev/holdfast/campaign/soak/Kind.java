package dev.holdfast.campaign.soak;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What an actor of a soak uses. */
public enum Kind {
    PLAIN,
    FENCED,
    FAIR,
    MULTI,
    SEGMENTS,
    READ_WRITE,
    SEMAPHORE,
    LATCH,
    CONDITION;

    /** The names of the locks, each shared by all clients; those used once are in addition. */
    static final List<String> PLAIN_LOCKS = List.of("plain-0", "plain-1", "plain-2", "plain-3");

    static final List<String> FENCED_LOCKS = List.of("fenced-0", "fenced-1");
    static final String FAIR_LOCK = "fair";
    static final String SEGMENTED = "parts";
    static final int SEGMENT_COUNT = 3;
    static final String READ_WRITE_LOCK = "read-write";
    static final String SEMAPHORE_NAME = "permits";
    static final int PERMITS = 4;
    static final String CONDITION_LOCK = "condition";

    /** {@return the locks that a fault can hit} */
    static List<String> targets() {
        return Stream.of(
                        PLAIN_LOCKS,
                        FENCED_LOCKS,
                        List.of(FAIR_LOCK),
                        IntStream.range(0, SEGMENT_COUNT)
                                .mapToObj(segment -> SEGMENTED + ":" + segment)
                                .toList(),
                        List.of(READ_WRITE_LOCK, CONDITION_LOCK))
                .flatMap(List::stream)
                .toList();
    }
}

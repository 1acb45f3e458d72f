package dev.holdfast.campaign.soak;

import java.util.List;

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

    /** The names of the locks, each shared by all clients; those used once come on top. */
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
        return List.of(
                PLAIN_LOCKS.get(0),
                PLAIN_LOCKS.get(1),
                PLAIN_LOCKS.get(2),
                PLAIN_LOCKS.get(3),
                FENCED_LOCKS.get(0),
                FENCED_LOCKS.get(1),
                FAIR_LOCK,
                SEGMENTED + ":0",
                SEGMENTED + ":1",
                SEGMENTED + ":2",
                READ_WRITE_LOCK,
                CONDITION_LOCK);
    }
}

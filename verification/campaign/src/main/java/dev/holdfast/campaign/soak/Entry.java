package dev.holdfast.campaign.soak;

import dev.holdfast.campaign.schedule.FaultKind;
import dev.holdfast.campaign.text.Lines;
import java.util.List;

/** The entries of the journal of a soak. All that is judged at the end is in there. */
public sealed interface Entry {
    /** The text form of an entry. */
    Lines<Entry> LINES = Lines.of(Entry.class);

    /** {@return those of one type} */
    static <T extends Entry> List<T> all(List<Entry> entries, Class<T> type) {
        return entries.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /**
     * A leg begins: new servers and new processes. An interrupted soak has several.
     *
     * @param build the commit of the library
     * @param version that of Redis
     * @param began the date and time
     */
    record Leg(int number, long seed, boolean cluster, String build, String version, String began) implements Entry {}

    /**
     * A minute has ended in a rest.
     *
     * @param number of the minute, over all legs, from 0
     * @param recoveryMillis how long it took after the end of the fault until each client had begun to work with each kind
     * @param uses the number of holds, and of uses of a latch
     */
    record Minute(int number, FaultKind fault, long recoveryMillis, long uses) implements Entry {}

    /**
     * What a process needed at the end of a minute.
     *
     * @param series the process, which differs from its predecessors
     */
    record OfProcess(String series, int minute, long heap, long threads, long descriptors, long failed)
            implements Entry {}

    /**
     * What there was on the servers at the end of a minute.
     *
     * @param series the leg
     */
    record OfServers(String series, int minute, long connections, long subscriptions, long keys) implements Entry {}

    /** Something that must not happen. */
    record Violation(int minute, List<String> what) implements Entry {}
}

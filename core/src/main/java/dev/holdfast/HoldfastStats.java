package dev.holdfast;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a client and its counters since it was built, read without stopping it: the numbers may be of
 * slightly different moments. A value; numbers may be added.
 *
 * <p>An acquire call is counted once, when it ends: as {@link #acquired()}, {@link #refused()}, {@link #givenUp()} or
 * {@link #failed()}; re-entries are not counted. A hold that was acquired is counted when it ends, as
 * {@link #released()}, {@link #releasesUnconfirmed()} or {@link #lost()}. {@link #orphansReleased()} counts the
 * <em>orphans</em> that were found in Redis and released: holds that Redis granted to calls which had ended, and holds it still
 * had after they were lost or after their release had had no reply.
 */
public final class HoldfastStats {
    private final Map<Counter, Long> counts;
    private final Map<LossReason, Long> losses;

    /** The counters by name, for code that treats all alike. May gain constants. */
    public enum Counter {
        /** {@link HoldfastStats#holds()}. */
        HOLDS,
        /** {@link HoldfastStats#waiters()}. */
        WAITERS,
        /** {@link HoldfastStats#acquired()}. */
        ACQUIRED,
        /** {@link HoldfastStats#handoffs()}. */
        HANDOFFS,
        /** {@link HoldfastStats#refused()}. */
        REFUSED,
        /** {@link HoldfastStats#givenUp()}. */
        GIVEN_UP,
        /** {@link HoldfastStats#failed()}. */
        FAILED,
        /** {@link HoldfastStats#released()}. */
        RELEASED,
        /** {@link HoldfastStats#releasesUnconfirmed()}. */
        RELEASES_UNCONFIRMED,
        /** {@link HoldfastStats#orphansReleased()}. */
        ORPHANS_RELEASED,
        /** {@link HoldfastStats#renewals()}. */
        RENEWALS,
        /** {@link HoldfastStats#atRisk()}. */
        AT_RISK,
        /** {@link HoldfastStats#unknownOutcomes()}. */
        UNKNOWN_OUTCOMES,
        /** {@link HoldfastStats#spuriousWakeUps()}. */
        SPURIOUS_WAKE_UPS,
        /** {@link HoldfastStats#lastResortWakeUps()}. */
        LAST_RESORT_WAKE_UPS,
        /** {@link HoldfastStats#reconnects()}. */
        RECONNECTS,
        /** {@link HoldfastStats#droppedEvents()}. */
        DROPPED_EVENTS
    }

    private HoldfastStats(Map<Counter, Long> counts, Map<LossReason, Long> losses) {
        this.counts = counts;
        this.losses = Collections.unmodifiableMap(losses);
    }

    /**
     * {@return statistics with these values, for tests of code that reads them}
     *
     * @param counts a counter that is missing is 0
     * @param losses how many leases were lost for each reason; one that is missing is 0
     */
    public static HoldfastStats of(Map<Counter, Long> counts, Map<LossReason, Long> losses) {
        Map<Counter, Long> allCounts = new EnumMap<>(Counter.class);
        for (Counter counter : Counter.values()) {
            allCounts.put(counter, counts.getOrDefault(counter, 0L));
        }
        Map<LossReason, Long> allLosses = new EnumMap<>(LossReason.class);
        for (LossReason reason : LossReason.values()) {
            allLosses.put(reason, losses.getOrDefault(reason, 0L));
        }
        return new HoldfastStats(allCounts, allLosses);
    }

    /** {@return the value of one counter} The methods below document each. */
    public long get(Counter what) {
        Objects.requireNonNull(what, "what must not be null");
        return counts.getOrDefault(what, 0L);
    }

    /** {@return locks held now, each counted once, whatever its hold count} */
    public long holds() {
        return get(Counter.HOLDS);
    }

    /** {@return calls that now wait for a busy lock, or for a latch to open} */
    public long waiters() {
        return get(Counter.WAITERS);
    }

    /** {@return holds granted} */
    public long acquired() {
        return get(Counter.ACQUIRED);
    }

    /** {@return holds granted by a handoff from another owner of this client; {@link #acquired()} includes them} */
    public long handoffs() {
        return get(Counter.HANDOFFS);
    }

    /** {@return attempts that do not wait and found the lock busy} */
    public long refused() {
        return get(Counter.REFUSED);
    }

    /** {@return calls that ended without the lock when their time had passed, or when their caller gave up} */
    public long givenUp() {
        return get(Counter.GIVEN_UP);
    }

    /** {@return acquire calls that ended with an exception of this library} */
    public long failed() {
        return get(Counter.FAILED);
    }

    /** {@return holds released by their owner} */
    public long released() {
        return get(Counter.RELEASED);
    }

    /** {@return holds ended by their owner whose release Redis refused, or did not answer} */
    public long releasesUnconfirmed() {
        return get(Counter.RELEASES_UNCONFIRMED);
    }

    /**
     * {@return orphans released: holds in Redis without an owner here, granted to calls that had ended, or left after a
     * loss}
     */
    public long orphansReleased() {
        return get(Counter.ORPHANS_RELEASED);
    }

    /** {@return leases lost, for any reason} */
    public long lost() {
        return losses.values().stream().mapToLong(Long::longValue).sum();
    }

    /** {@return leases lost for this reason} */
    public long lost(LossReason reason) {
        Objects.requireNonNull(reason, "reason must not be null");
        return losses.getOrDefault(reason, 0L);
    }

    /** {@return how many leases were lost for each reason, zero included; unmodifiable} */
    public Map<LossReason, Long> lostByReason() {
        return losses;
    }

    /** {@return lease renewals that Redis confirmed} */
    public long renewals() {
        return get(Counter.RENEWALS);
    }

    /** {@return how often a lease was at risk: its renewal had no reply for a long time} */
    public long atRisk() {
        return get(Counter.AT_RISK);
    }

    /** {@return commands whose connection ended before the reply} */
    public long unknownOutcomes() {
        return get(Counter.UNKNOWN_OUTCOMES);
    }

    /**
     * {@return how often waiters for conditions were woken without a signal, since one may have been lost} As of those of {@code
     * java.util.concurrent}, a caller that finds its condition unfulfilled waits again.
     */
    public long spuriousWakeUps() {
        return get(Counter.SPURIOUS_WAKE_UPS);
    }

    /** {@return how often waiters for conditions were woken after a minute, although nothing was known to be wrong} */
    public long lastResortWakeUps() {
        return get(Counter.LAST_RESORT_WAKE_UPS);
    }

    /** {@return how often a connection to Redis, of either {@linkplain ConnectionRole role}, was re-established} */
    public long reconnects() {
        return get(Counter.RECONNECTS);
    }

    /** {@return events not delivered to a listener, because it was too slow} */
    public long droppedEvents() {
        return get(Counter.DROPPED_EVENTS);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HoldfastStats that && counts.equals(that.counts) && losses.equals(that.losses);
    }

    @Override
    public int hashCode() {
        return Objects.hash(counts, losses);
    }

    @Override
    public String toString() {
        return counts.entrySet().stream()
                .map(count -> count.getKey().name().toLowerCase(Locale.ROOT) + "=" + count.getValue())
                .collect(Collectors.joining(", ", "HoldfastStats[", ", lost=" + losses + "]"));
    }
}

package dev.holdfast;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a client is doing and has done since it was built, read without stopping it: the numbers may be of slightly different
 * moments. A value; may gain numbers.
 *
 * <p>A call for a lock is counted once when it ends: as {@link #acquired()}, {@link #refused()}, {@link #givenUp()} or
 * {@link #failed()}; re-entries are not counted. A hold that was acquired is counted when it ends, as {@link #released()}
 * or as {@link #lost()}. {@link #orphansReleased()} counts what Redis was found to have for nobody, and released: what it granted to
 * calls that had ended, and what it kept of holds that were lost or whose release had had no answer.
 */
public final class HoldfastStats {
    private final Map<Count, Long> counts;
    private final Map<LossReason, Long> losses;

    /** @param counts has every constant, as {@code losses} does */
    HoldfastStats(Map<Count, Long> counts, Map<LossReason, Long> losses) {
        this.counts = new EnumMap<>(counts);
        this.losses = Collections.unmodifiableMap(new EnumMap<>(losses));
    }

    private long get(Count what) {
        return counts.getOrDefault(what, 0L);
    }

    /** {@return locks held now, each counted once however often it was entered} */
    public long holds() {
        return get(Count.HOLDS);
    }

    /** {@return calls waiting now for a lock that is busy} */
    public long waiters() {
        return get(Count.WAITERS);
    }

    /** {@return holds granted} */
    public long acquired() {
        return get(Count.ACQUIRED);
    }

    /** {@return holds granted by another owner of this client, which passed the lock on; {@link #acquired()} has them too} */
    public long handoffs() {
        return get(Count.HANDOFFS);
    }

    /** {@return tries that do not wait and found the lock busy} */
    public long refused() {
        return get(Count.REFUSED);
    }

    /** {@return calls that ended without the lock when their time had passed, or when their caller gave up} */
    public long givenUp() {
        return get(Count.GIVEN_UP);
    }

    /** {@return calls for a lock that ended with an exception of this library} */
    public long failed() {
        return get(Count.FAILED);
    }

    /** {@return holds released by their owner} */
    public long released() {
        return get(Count.RELEASED);
    }

    /** {@return locks released that Redis had for nobody: granted to calls that had been given up, or kept after a loss} */
    public long orphansReleased() {
        return get(Count.ORPHANS_RELEASED);
    }

    /** {@return leases lost, for whatever reason} */
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
        return get(Count.RENEWALS);
    }

    /** {@return how often a lease was at risk: its renewal had no answer for long} */
    public long atRisk() {
        return get(Count.AT_RISK);
    }

    /** {@return commands whose connection ended before the answer} */
    public long unknownOutcomes() {
        return get(Count.UNKNOWN_OUTCOMES);
    }

    /** {@return how often a connection to Redis, of whichever {@linkplain ConnectionRole role}, was made again} */
    public long reconnects() {
        return get(Count.RECONNECTS);
    }

    /** {@return events that a listener was not told, for it was too slow or the callback executor refused them} */
    public long droppedEvents() {
        return get(Count.DROPPED_EVENTS);
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

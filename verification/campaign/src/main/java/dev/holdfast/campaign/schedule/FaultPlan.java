package dev.holdfast.campaign.schedule;

import java.time.Duration;

/**
 * One fault of a round.
 *
 * @param number the number of the fault, counted from 1 in each round
 * @param kind the kind of fault
 * @param after the delay from the previous fault, or from the begin of the round
 * @param overlaps whether the delay is counted from the begin of the previous fault, so that both last at once, and
 *     not from the end of all previous faults
 * @param length the length of the fault
 * @param client the index of the client that is hit, if the fault hits one
 * @param lock the index of the lock that is hit, if the fault hits one
 */
public record FaultPlan(
        int number, FaultKind kind, Duration after, boolean overlaps, Duration length, int client, int lock) {
    /** {@return whether the client of this index is hit, alone or with all others} */
    public boolean hits(int index) {
        return kind.hitsAll() || client == index;
    }

    /**
     * {@return whether the two faults have different targets, so that either can begin and end while the other lasts}
     */
    boolean isApartFrom(FaultPlan other) {
        return kind.target() != other.kind.target() || (!kind.hitsAll() && client != other.client);
    }
}

package dev.holdfast.campaign.schedule;

import java.time.Duration;

/**
 * One fault of a round.
 *
 * @param number counts the faults of a round from 1
 * @param kind what happens
 * @param after how long after the fault before it, or after the begin of the round
 * @param meanwhile whether that is counted from when the one before has begun, so that both are there at once, and not from
 *     when all before have ended
 * @param length how long it lasts
 * @param client the index of the client that is hit, if it hits one
 * @param lock the index of the lock that is hit, if it hits one
 */
public record FaultPlan(
        int number, FaultKind kind, Duration after, boolean meanwhile, Duration length, int client, int lock) {
    /** {@return whether the client of this index is hit, be it along with all others} */
    public boolean hits(int index) {
        return kind.target() == FaultKind.Target.SERVER || client == index;
    }

    /** {@return whether the two hit different things, so that either can come and go while the other lasts} */
    boolean isApartFrom(FaultPlan other) {
        return kind.target() != other.kind.target()
                || (kind.target() != FaultKind.Target.SERVER && client != other.client);
    }
}

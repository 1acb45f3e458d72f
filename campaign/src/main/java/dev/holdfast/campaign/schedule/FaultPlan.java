package dev.holdfast.campaign.schedule;

import java.time.Duration;

/**
 * One fault of a round.
 *
 * @param number counts the faults of a round from 1
 * @param kind what happens
 * @param after how long after the end of the fault before it, or after the begin of the round
 * @param length how long it lasts
 * @param client the index of the client that is hit, if it hits one
 * @param lock the index of the lock that is hit, if it hits one
 */
public record FaultPlan(int number, FaultKind kind, Duration after, Duration length, int client, int lock) {
    /** {@return whether the client of this index is hit, be it along with all others} */
    public boolean hits(int index) {
        return kind.target() == FaultKind.Target.SERVER || client == index;
    }
}

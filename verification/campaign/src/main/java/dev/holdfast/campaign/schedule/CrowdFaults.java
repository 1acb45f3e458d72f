package dev.holdfast.campaign.schedule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws the faults of a round with a crowd, which all concern the clients of one process: one kill, and three of the
 * others. Confined to one thread.
 */
final class CrowdFaults {
    private static final int BESIDE_THE_KILL = 3;

    private final Dice dice;
    private final Duration watchdogTimeout;

    /** The command timeout of the clients, and the lease of a hold that a release grants. */
    private final Duration grantLease;

    private final int processes;
    private final List<FaultPlan> faults = new ArrayList<>();

    /** @param processes the number of processes that can be hit */
    CrowdFaults(Dice dice, Duration watchdogTimeout, int processes) {
        this.dice = dice;
        this.watchdogTimeout = watchdogTimeout;
        this.grantLease = watchdogTimeout.dividedBy(3);
        this.processes = processes;
    }

    List<FaultPlan> draw() {
        List<Runnable> deck = new ArrayList<>(dice.shuffled(List.<Runnable>of(
                        this::pause, this::longPause, this::grantsLost, this::unsubscribed, this::cut))
                .subList(0, BESIDE_THE_KILL));
        deck.add(dice.below(deck.size() + 1), dice.chance(60) ? this::killGrantee : this::kill);
        deck.forEach(Runnable::run);
        return faults;
    }

    private void kill() {
        add(FaultKind.CLIENT_KILLED, Duration.ZERO);
    }

    /**
     * Once the messages of grants are lost, the lock is soon granted to a client of the process that does not know of
     * it: then the process is killed.
     */
    private void killGrantee() {
        Duration length = dice.between(grantLease.dividedBy(4), grantLease.dividedBy(2));
        add(FaultKind.GRANTS_LOST, length);
        FaultPlan lost = faults.get(faults.size() - 1);
        Duration after = dice.between(length.dividedBy(2), length);
        faults.add(new FaultPlan(
                faults.size() + 1, FaultKind.CLIENT_KILLED, after, true, Duration.ZERO, lost.client(), 0));
    }

    /** For longer than the lease of a grant, and for less than that of a hold. */
    private void pause() {
        add(FaultKind.CLIENT_PAUSED, dice.between(grantLease.multipliedBy(5).dividedBy(4), grantLease.multipliedBy(2)));
    }

    private void longPause() {
        add(
                FaultKind.CLIENT_PAUSED_LONG,
                dice.between(
                        watchdogTimeout.multipliedBy(11).dividedBy(10),
                        watchdogTimeout.multipliedBy(3).dividedBy(2)));
    }

    private void grantsLost() {
        add(FaultKind.GRANTS_LOST, dice.between(grantLease.dividedBy(10), grantLease.multipliedBy(2)));
    }

    private void unsubscribed() {
        add(FaultKind.UNSUBSCRIBED, dice.between(grantLease.dividedBy(10), grantLease.multipliedBy(2)));
    }

    private void cut() {
        add(FaultKind.CUT_RST, Duration.ZERO);
    }

    private void add(FaultKind kind, Duration length) {
        Duration after =
                faults.isEmpty() ? Schedule.PEACE : dice.between(grantLease.dividedBy(4), grantLease.multipliedBy(2));
        faults.add(new FaultPlan(faults.size() + 1, kind, after, false, length, dice.below(processes), 0));
    }
}

package dev.holdfast.campaign.schedule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws the faults of a round whose locks change their master: one after the other, each with enough time after it,
 * since the masters of a cluster agree to replace one of them only some time after the last one. Confined to one
 * thread.
 */
final class FailoverFaults {
    /** The number of faults of masters; under sentinels it takes 20 s until the next one is possible. */
    private static final int IN_A_CLUSTER = 3;

    private static final int UNDER_SENTINELS = 2;

    /** Many commands are lost in this time. A replica whose link is down for long does not take over. */
    static final Duration CUT = Duration.ofSeconds(2);

    /** Sentinels that are stopped for two seconds do nothing for some time afterwards. */
    private static final Duration SENTINELS_STOPPED = Duration.ofMillis(1_700);

    private final Dice dice;
    private final Duration watchdogTimeout;
    private final int victims;
    private final int locks;
    private final List<FaultPlan> faults = new ArrayList<>();

    /** @param victims the number of processes that can be hit */
    FailoverFaults(Dice dice, Duration watchdogTimeout, int victims, int locks) {
        this.dice = dice;
        this.watchdogTimeout = watchdogTimeout;
        this.victims = victims;
        this.locks = locks;
    }

    /** {@return faults of a cluster} */
    List<FaultPlan> ofCluster() {
        return draw(
                IN_A_CLUSTER,
                List.of(
                        () -> add(FaultKind.MASTER_REPLACED, Duration.ZERO),
                        () -> add(FaultKind.MASTER_TAKEN_OVER, Duration.ZERO),
                        () -> add(FaultKind.SLOT_MOVED, Duration.ZERO),
                        this::paused,
                        this::killed,
                        this::cutAndKilled));
    }

    /** {@return faults of a master under sentinels} */
    List<FaultPlan> underSentinels() {
        return draw(
                UNDER_SENTINELS,
                List.of(
                        () -> add(FaultKind.MASTER_SWITCHED, Duration.ZERO),
                        this::switchedByTwo,
                        this::paused,
                        this::killed,
                        this::cutAndKilled,
                        this::killedUnwatched));
    }

    /** {@return faults by which no command stays unanswered} */
    List<FaultPlan> sparingRedisson(Theme theme) {
        return theme.isOnCluster()
                ? draw(
                        2,
                        List.of(
                                () -> add(FaultKind.MASTER_REPLACED, Duration.ZERO),
                                () -> add(FaultKind.SLOT_MOVED, Duration.ZERO)))
                : draw(1, List.of(() -> add(FaultKind.MASTER_SWITCHED, Duration.ZERO)));
    }

    private List<FaultPlan> draw(int count, List<Runnable> ofMasters) {
        List<Runnable> deck = new ArrayList<>(dice.shuffled(ofMasters).subList(0, count));
        deck.add(dice.below(deck.size() + 1), dice.chance(50) ? this::clientKilled : this::clientPaused);
        deck.forEach(Runnable::run);
        return faults;
    }

    private void clientKilled() {
        add(FaultKind.CLIENT_KILLED, Duration.ZERO);
    }

    /** For longer than the lease of a grant, and for less than that of a hold. */
    private void clientPaused() {
        Duration grantLease = watchdogTimeout.dividedBy(3);
        add(FaultKind.CLIENT_PAUSED, dice.between(grantLease.multipliedBy(5).dividedBy(4), grantLease.multipliedBy(2)));
    }

    private void killed() {
        add(FaultKind.MASTER_KILLED, Schedule.PEACE);
    }

    private void paused() {
        add(FaultKind.MASTER_PAUSED, Schedule.PEACE);
    }

    /** What the master has granted and released since its replicas were cut off is lost for sure. */
    private void cutAndKilled() {
        add(FaultKind.REPLICAS_CUT, CUT.plus(Schedule.PEACE.dividedBy(2)));
        overlapping(FaultKind.MASTER_KILLED, CUT, Schedule.PEACE);
    }

    /** One sentinel takes no part, and reports nothing. */
    private void switchedByTwo() {
        add(FaultKind.SENTINEL_PAUSED, Schedule.PEACE);
        overlapping(FaultKind.MASTER_SWITCHED, dice.upTo(Schedule.PEACE.dividedBy(2)), Schedule.PEACE);
    }

    /** Nobody replaces the master before the sentinels run again. */
    private void killedUnwatched() {
        add(FaultKind.MASTER_KILLED, Schedule.PEACE);
        overlapping(FaultKind.SENTINELS_PAUSED, dice.upTo(Duration.ofMillis(200)), SENTINELS_STOPPED);
    }

    private void add(FaultKind kind, Duration length) {
        Duration after = Schedule.PEACE.plus(dice.upTo(Schedule.PEACE.dividedBy(3)));
        add(kind, after, false, length, dice.below(victims), dice.below(locks));
    }

    /** A fault of the same master, some time after the beginning of the last one. */
    private void overlapping(FaultKind kind, Duration after, Duration length) {
        FaultPlan last = faults.get(faults.size() - 1);
        add(kind, after, true, length, last.client(), last.lock());
    }

    private void add(FaultKind kind, Duration after, boolean overlaps, Duration length, int client, int lock) {
        faults.add(new FaultPlan(faults.size() + 1, kind, after, overlaps, length, client, lock));
    }
}

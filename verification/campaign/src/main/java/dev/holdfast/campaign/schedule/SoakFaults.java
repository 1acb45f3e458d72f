package dev.holdfast.campaign.schedule;

import dev.holdfast.campaign.schedule.FaultKind.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * The faults of a soak, one for each minute: every kind that the servers allow once, in an order that is drawn, and again in another
 * order. A client of each process is closed once in each order; of the processes, only the last one is killed, so that the others live
 * for the whole run.
 *
 * @param seed of the run
 * @param cluster whether the servers are a cluster, without proxies in front of it
 * @param processes the number of processes, each with the same number of clients
 * @param clients the number of all clients
 * @param locks the number of locks that can be hit
 */
public record SoakFaults(long seed, boolean cluster, int processes, int clients, int locks) {
    private static final List<FaultKind> OF_A_CLUSTER = List.of(
            FaultKind.MASTER_REPLACED,
            FaultKind.MASTER_TAKEN_OVER,
            FaultKind.MASTER_KILLED,
            FaultKind.MASTER_PAUSED,
            FaultKind.REPLICAS_CUT,
            FaultKind.SLOT_MOVED);

    /** {@return what happens in this minute of the run: the same for each call} */
    public List<FaultPlan> of(int minute, Duration watchdogTimeout) {
        List<FaultKind> kinds = kinds();
        long order = minute / kinds.size();
        int number = minute % kinds.size();
        List<FaultKind> drawn = new Dice(seed + order).shuffled(kinds);
        FaultKind kind = drawn.get(number);
        int before = Collections.frequency(drawn.subList(0, number), kind);
        Dice dice = new Dice((seed << Integer.SIZE) + minute);
        int client = client(kind, before, dice);
        int lock = dice.below(locks);
        if (kind == FaultKind.REPLICAS_CUT) {
            return List.of(
                    new FaultPlan(1, kind, Duration.ZERO, false, FailoverFaults.CUT.plus(Schedule.PEACE), client, lock),
                    new FaultPlan(2, FaultKind.MASTER_KILLED, FailoverFaults.CUT, true, Schedule.PEACE, client, lock));
        }
        Duration length =
                kind.target() == Target.MASTER ? Schedule.PEACE : Schedule.length(dice, kind.span(), watchdogTimeout);
        return List.of(new FaultPlan(1, kind, Duration.ZERO, false, length, client, lock));
    }

    /** @param before how often the order had this kind before */
    private int client(FaultKind kind, int before, Dice dice) {
        int perProcess = clients / processes;
        return switch (kind) {
            case CLIENT_KILLED -> clients - 1;
            case CLIENT_CLOSED -> before * perProcess + dice.below(perProcess);
            default -> dice.below(clients);
        };
    }

    private List<FaultKind> kinds() {
        List<FaultKind> kinds = new ArrayList<>();
        Stream.of(FaultKind.values()).filter(this::isPossible).forEach(kinds::add);
        for (int process = 1; process < processes; process++) {
            kinds.add(FaultKind.CLIENT_CLOSED);
        }
        return kinds;
    }

    private boolean isPossible(FaultKind kind) {
        return switch (kind.target()) {
            case MASTER -> cluster && OF_A_CLUSTER.contains(kind);
            case CLIENT -> !(cluster && kind == FaultKind.KEY_FORBIDDEN);
            case SERVER, LINK -> !cluster;
        };
    }
}

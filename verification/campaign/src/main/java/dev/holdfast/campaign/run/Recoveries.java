package dev.holdfast.campaign.run;

import dev.holdfast.campaign.history.Event.FaultBegan;
import dev.holdfast.campaign.history.Event.FaultEnded;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.schedule.FaultPlan;
import dev.holdfast.campaign.schedule.RoundPlan;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The recovery time of each fault: how long after its end every lock has been acquired once more, and the client that
 * was hit has acquired one. A fault is not measured if another one began before that or still lasted, since the delay
 * could be due to the other. Nor are the faults of a round with a common
 * {@linkplain dev.holdfast.campaign.schedule.ArrivalSchedule schedule of arrivals}, since the time would be that until
 * the next arrival.
 */
final class Recoveries {
    private final RoundPlan plan;
    private final History history;
    private final List<Operation> grants;

    private Recoveries(RoundPlan plan, History history) {
        this.plan = plan;
        this.history = history;
        this.grants = history.operations().stream()
                .filter(operation -> operation.is(Outcome.GRANTED))
                .toList();
    }

    /** {@return the recovery time of each fault that could be measured} */
    static Map<FaultPlan, Duration> of(RoundPlan plan, History history) {
        return new Recoveries(plan, history).all();
    }

    private Map<FaultPlan, Duration> all() {
        Map<FaultPlan, Duration> recoveries = new HashMap<>();
        if (plan.arrivals().isThere()) {
            return recoveries;
        }
        for (FaultPlan fault : plan.faults()) {
            ended(fault.number()).flatMap(end -> after(fault, end)).ifPresent(took -> recoveries.put(fault, took));
        }
        return recoveries;
    }

    private Optional<Long> ended(int number) {
        return history.all(FaultEnded.class)
                .filter(end -> end.number() == number)
                .map(FaultEnded::at)
                .findFirst();
    }

    private Optional<Duration> after(FaultPlan fault, long end) {
        long recovered = end;
        for (String lock : plan.locks()) {
            recovered = Math.max(recovered, first(end, grant -> grant.lock().equals(lock)));
        }
        for (int client = 0; client < plan.clients().size(); client++) {
            if (fault.hits(client)) {
                String process = "client-" + client;
                recovered = Math.max(
                        recovered, first(end, grant -> grant.op().process().startsWith(process)));
            }
        }
        boolean alone = recovered < history.end() && !isAnotherThere(fault.number(), end, recovered);
        return alone ? Optional.of(Duration.ofNanos(recovered - end)) : Optional.empty();
    }

    private long first(long from, Predicate<Operation> wanted) {
        return grants.stream()
                .filter(wanted)
                .mapToLong(Operation::end)
                .filter(at -> at >= from)
                .min()
                .orElse(Operation.NEVER);
    }

    private boolean isAnotherThere(int number, long from, long to) {
        return history.all(FaultBegan.class)
                .filter(other -> other.number() != number && other.at() <= to)
                .anyMatch(other -> ended(other.number()).orElse(Operation.NEVER) > from);
    }
}

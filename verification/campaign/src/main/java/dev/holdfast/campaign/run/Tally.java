package dev.holdfast.campaign.run;

import dev.holdfast.campaign.check.Verdict;
import dev.holdfast.campaign.history.Event;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.ReportChannel;
import dev.holdfast.campaign.schedule.FaultKind;
import dev.holdfast.campaign.schedule.FaultPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The figures of a run, summed over its rounds. Confined to one thread. */
final class Tally {
    private final Map<FaultKind, Faults> faults = new EnumMap<>(FaultKind.class);
    private final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
    private final Map<String, Rule> rules = new LinkedHashMap<>();
    private final List<String> violations = new ArrayList<>();
    private final List<String> undecided = new ArrayList<>();
    private int rounds;
    private int roundsWithRedisson;
    private int roundsWithCrowds;
    private int roundsReplicated;
    private long losses;
    private long handoffs;

    /** The figures of one kind of fault. */
    record Faults(int count, int measured, Duration slowest) {
        private static final Faults NONE = new Faults(0, 0, Duration.ZERO);

        private Faults and(Faults other) {
            return new Faults(
                    count + other.count,
                    measured + other.measured,
                    slowest.compareTo(other.slowest) > 0 ? slowest : other.slowest);
        }
    }

    /** The figures of one rule. */
    record Rule(long judged, long excused, int violations, int undecided) {
        private Rule and(Rule other) {
            return new Rule(
                    judged + other.judged,
                    excused + other.excused,
                    violations + other.violations,
                    undecided + other.undecided);
        }
    }

    void add(RoundOutcome round) {
        rounds++;
        roundsWithRedisson += round.plan().hasGuest() ? 1 : 0;
        roundsWithCrowds += round.plan().isCrowded() ? 1 : 0;
        roundsReplicated += round.plan().isReplicated() ? 1 : 0;
        List<Operation> operations = round.history().calls();
        for (Operation operation : operations) {
            if (operation.returned() != null) {
                outcomes.merge(operation.returned().outcome(), 1L, Long::sum);
            }
        }
        losses += round.history()
                .all(Event.Announced.class)
                .filter(announced -> announced.through() == ReportChannel.LISTENER)
                .count();
        handoffs += Turnover.within(round.plan().locks(), operations);
        addFaults(round);
        for (Verdict verdict : round.verdicts()) {
            Rule rule = new Rule(
                    verdict.judged(),
                    verdict.excused(),
                    verdict.violations().size(),
                    verdict.undecided().size());
            rules.merge(verdict.rule(), rule, Rule::and);
        }
        violations.addAll(round.violations());
        undecided.addAll(round.undecided());
    }

    private void addFaults(RoundOutcome round) {
        Map<FaultPlan, Duration> recoveries = Recoveries.of(round.plan(), round.history());
        Set<Integer> ended = round.history()
                .all(Event.FaultEnded.class)
                .map(Event.FaultEnded::number)
                .collect(Collectors.toSet());
        for (FaultPlan fault : round.plan().faults()) {
            if (!ended.contains(fault.number())) {
                continue;
            }
            Duration took = recoveries.get(fault);
            Faults one = took == null ? new Faults(1, 0, Duration.ZERO) : new Faults(1, 1, took);
            faults.merge(fault.kind(), one, Faults::and);
        }
    }

    int rounds() {
        return rounds;
    }

    int roundsWithRedisson() {
        return roundsWithRedisson;
    }

    int roundsWithCrowds() {
        return roundsWithCrowds;
    }

    int roundsReplicated() {
        return roundsReplicated;
    }

    long operations() {
        return outcomes.values().stream().mapToLong(Long::longValue).sum();
    }

    /** {@return the number of operations with this outcome} */
    long count(Outcome outcome) {
        return outcomes.getOrDefault(outcome, 0L);
    }

    /** {@return the number of losses reported to listeners} */
    long losses() {
        return losses;
    }

    /** {@return how often a lock passed from one owner to another of the same client that had been waiting for it} */
    long handoffs() {
        return handoffs;
    }

    Faults of(FaultKind kind) {
        return faults.getOrDefault(kind, Faults.NONE);
    }

    /** {@return the number of faults that were injected and have ended} */
    long faults() {
        return faults.values().stream().mapToLong(Faults::count).sum();
    }

    Map<String, Rule> rules() {
        return rules;
    }

    /** {@return a description of each violation} */
    List<String> violations() {
        return violations;
    }

    List<String> undecided() {
        return undecided;
    }
}

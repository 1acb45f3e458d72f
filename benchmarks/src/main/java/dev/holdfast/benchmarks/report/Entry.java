package dev.holdfast.benchmarks.report;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.measure.Spread;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The results of one system in one workload: the figures of each round that succeeded, and the failures of the others.
 */
public final class Entry {
    private final Workload workload;
    private final LockSystem system;
    private final List<Figures> rounds = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    /** An entry without results so far. */
    public Entry(Workload workload, LockSystem system) {
        this.workload = workload;
        this.system = system;
    }

    /** Adds the figures of a round that succeeded. */
    public void measured(Figures figures) {
        rounds.add(figures);
    }

    /** Adds the reason of a round that failed. */
    public void failed(String why) {
        failures.add(why);
    }

    /** {@return the system} */
    public LockSystem system() {
        return system;
    }

    /** {@return the figures of the rounds that succeeded} */
    public List<Figures> rounds() {
        return List.copyOf(rounds);
    }

    /** {@return the reasons of those that failed} */
    List<String> failures() {
        return List.copyOf(failures);
    }

    /** {@return how many rounds have succeeded or failed} */
    public int attempts() {
        return rounds.size() + failures.size();
    }

    /** {@return the reason why the system cannot run the workload; empty if it can} */
    public Optional<String> obstacle() {
        if (system.needsReplica() && !workload.hasReplicas()) {
            return Optional.of("there is no replica");
        }
        return system == LockSystem.JDK && !workload.isOfOneProcess()
                ? Optional.of("it is of one process")
                : workload.obstacle(system);
    }

    /**
     * {@return a remark on the figures: the system cannot run the workload, some rounds failed, or a round has a
     * remark}
     */
    public Optional<String> remark() {
        if (obstacle().isPresent()) {
            return obstacle();
        }
        return failures.isEmpty()
                ? rounds.stream().flatMap(figures -> figures.remark().stream()).findFirst()
                : Optional.of("failed in " + failures.size() + " of " + (failures.size() + rounds.size()) + " rounds: "
                        + failures.get(0));
    }

    /** {@return the spread of a figure over the rounds, if there is one} */
    public Optional<Spread> spread(Metric metric) {
        List<Double> values = rounds.stream()
                .flatMap(figures -> figures.get(metric).stream().boxed())
                .toList();
        return values.isEmpty() ? Optional.empty() : Optional.of(Spread.of(values));
    }
}

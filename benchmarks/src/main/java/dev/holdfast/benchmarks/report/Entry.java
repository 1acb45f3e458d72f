package dev.holdfast.benchmarks.report;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.measure.Spread;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What one system did with one workload: the figures of each round that went well, and what went wrong with the others. */
public final class Entry {
    private final Workload workload;
    private final LockSystem system;
    private final List<Figures> rounds = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    /** Nothing yet. */
    public Entry(Workload workload, LockSystem system) {
        this.workload = workload;
        this.system = system;
    }

    /** A round went well. */
    public void measured(Figures figures) {
        rounds.add(figures);
    }

    /** A round did not go well. */
    public void failed(String why) {
        failures.add(why);
    }

    /** {@return whose} */
    public LockSystem system() {
        return system;
    }

    /** {@return the rounds that went well} */
    public List<Figures> rounds() {
        return List.copyOf(rounds);
    }

    /** {@return what there is to say beside the figures: it cannot do this, or failed, or a part of it did} */
    public Optional<String> remark() {
        if (workload.obstacle(system).isPresent()) {
            return workload.obstacle(system);
        }
        return failures.isEmpty()
                ? rounds.stream().flatMap(figures -> figures.remark().stream()).findFirst()
                : Optional.of("failed in " + failures.size() + " of " + (failures.size() + rounds.size()) + " rounds: "
                        + failures.get(0));
    }

    /** {@return a figure over the rounds, if there is one} */
    public Optional<Spread> spread(Metric metric) {
        List<Double> values = rounds.stream()
                .flatMap(figures -> figures.get(metric).stream().boxed())
                .toList();
        return values.isEmpty() ? Optional.empty() : Optional.of(Spread.of(values));
    }
}

package dev.holdfast.benchmarks;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.report.BuildComparison;
import dev.holdfast.benchmarks.report.BuildComparison.Build;
import dev.holdfast.benchmarks.report.Conditions;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.workload.Site;
import dev.holdfast.benchmarks.workload.Workload;
import dev.holdfast.testkit.RedisServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs the workloads with two builds of Holdfast by turns: in each round the earlier build twice and the later one
 * once. Each round begins with another of these three, so that changes on the machine affect both builds alike.
 */
final class BuildRunner {
    private static final List<Build> TURNS = List.of(Build.BEFORE, Build.AFTER, Build.BEFORE);

    private final Options options;
    private final RedisServer server;
    private final Consumer<String> progress;

    BuildRunner(Options options, RedisServer server, Consumer<String> progress) {
        this.options = options;
        this.server = server;
        this.progress = progress;
    }

    /**
     * Runs all workloads.
     *
     * @param classPath the class path of the earlier build
     * @param done is given the results so far, at the end of each workload
     * @return the results
     */
    BuildComparison run(String classPath, Consumer<BuildComparison> done) throws InterruptedException {
        BuildComparison comparison = new BuildComparison(
                Conditions.of(options.given(), options.pace(), options.repository(), server.version()));
        for (Workload workload : options.workloads()) {
            for (int round = 0; round < workload.rounds(options.pace()); round++) {
                List<Build> order = new ArrayList<>(TURNS);
                Collections.rotate(order, -round);
                for (Build build : order) {
                    measure(workload, build, classPath, round, comparison);
                }
            }
            done.accept(comparison);
        }
        return comparison;
    }

    private void measure(Workload workload, Build build, String classPath, int round, BuildComparison comparison)
            throws InterruptedException {
        String own = System.getProperty("java.class.path");
        String what = workload.id() + ", round " + (round + 1) + ", " + build;
        try (Site site = Site.prepare(server, options.pace(), build == Build.BEFORE ? classPath : own)) {
            Figures figures = workload.measure(LockSystem.HOLDFAST, site);
            comparison.measured(workload, build, figures);
            figures.get(workload.headline())
                    .ifPresent(value -> progress.accept(what + ": " + Metric.format(value) + " "
                            + workload.headline().label()));
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(what + " failed, so there is nothing to compare", e);
        }
    }
}

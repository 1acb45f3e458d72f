package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.system.LockSystem;
import java.util.Optional;
import java.util.Set;

/**
 * A workload of one server on a cluster instead.
 *
 * @param workload the workload
 */
record OnCluster(Workload workload) implements Workload {
    @Override
    public String id() {
        return "cluster-" + workload.id();
    }

    @Override
    public String title() {
        return workload.title() + ", on a cluster";
    }

    @Override
    public String description() {
        return workload.description() + " On " + ClusterDeployment.DESCRIPTION
                + ". Figures of the server are those of all six together.";
    }

    @Override
    public Set<LockSystem> systems() {
        return Set.of(LockSystem.HOLDFAST, LockSystem.REPLICATED, LockSystem.REDISSON);
    }

    @Override
    public Metric headline() {
        return workload.headline();
    }

    @Override
    public boolean hasReplicas() {
        return true;
    }

    @Override
    public Optional<String> obstacle(LockSystem system) {
        return system == LockSystem.SELECTED
                ? Optional.of("as Holdfast: none of these locks is selected")
                : Deployment.obstacle(system);
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws Exception {
        try (Deployment cluster = ClusterDeployment.start()) {
            return workload.measure(system, cluster.in(site));
        }
    }
}

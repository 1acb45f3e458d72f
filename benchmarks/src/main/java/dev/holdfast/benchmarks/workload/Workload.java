package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.system.LockSystem;
import java.util.Optional;
import java.util.Set;

/** One kind of work, done by one system after the other under the same conditions. */
public interface Workload {
    /** {@return its name on a command line} */
    String id();

    /** {@return its title in a report} */
    String title();

    /** {@return a description of the work, in a few sentences} */
    String description();

    /** {@return the figure by which the systems are compared, and which is drawn in the charts} */
    Metric headline();

    /** {@return how often each system is measured} */
    default int rounds(Pace pace) {
        return pace.rounds();
    }

    /** {@return the systems that it compares unless others are wanted} */
    default Set<LockSystem> systems() {
        return Set.of(LockSystem.HOLDFAST, LockSystem.REDISSON);
    }

    /** {@return whether all its threads are in one process, without which a lock of the JDK cannot run} */
    default boolean isOfOneProcess() {
        return false;
    }

    /** {@return whether the servers have replicas, without which some systems cannot run} */
    default boolean hasReplicas() {
        return false;
    }

    /**
     * {@return the reason why this system cannot run the workload; empty if it can} Most workloads need a lock that
     * excludes.
     */
    default Optional<String> obstacle(LockSystem system) {
        return system.isLock() ? Optional.empty() : Optional.of("it does not exclude");
    }

    /**
     * Measures once.
     *
     * @throws Exception if the system failed
     */
    Figures measure(LockSystem system, Site site) throws Exception;
}

package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.system.LockSystem;
import java.util.Optional;

/** One kind of work, done by one system after the other under the same conditions. */
public interface Workload {
    /** {@return how a command line calls it} */
    String id();

    /** {@return how a report calls it} */
    String title();

    /** {@return what is done, in a sentence or two} */
    String description();

    /** {@return the figure by which the systems are compared, and which is drawn} */
    Metric headline();

    /** {@return how often it is worth measuring at most} */
    default int mostRounds() {
        return Integer.MAX_VALUE;
    }

    /** {@return why this system cannot do this work; empty if it can} Most work is for a lock that excludes. */
    default Optional<String> obstacle(LockSystem system) {
        return system.isLock() ? Optional.empty() : Optional.of("it does not exclude");
    }

    /**
     * Measures once.
     *
     * @throws Exception if the system failed at it
     */
    Figures measure(LockSystem system, Site site) throws Exception;
}

package dev.holdfast.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.worker.Crew;
import dev.holdfast.benchmarks.worker.Threads;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A lock that does not exclude is reported as such, across processes too. */
@Tag("slow")
@Tag("harness")
class BrokenLockTest {
    /** Two processes of one thread each, under bare scripts, which never exclude. */
    @Test
    void measure_lockWithoutExclusion_reportsViolations() throws Exception {
        Threads task = new Threads(LockSystem.FLOOR, 1, Threads.Names.SHARED, Duration.ofMillis(1), false);
        try (RedisServer server = RedisServer.builder().start();
                Site site = Site.prepare(server, Pace.INSTANT);
                Crew crew = site.crew(Collections.nCopies(2, task))) {
            Observation seen = Observation.of(crew, site);

            assertThat(seen.figures().get(Metric.VIOLATIONS).orElseThrow()).isPositive();
        }
    }
}

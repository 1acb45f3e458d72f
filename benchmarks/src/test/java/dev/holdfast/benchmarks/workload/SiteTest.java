package dev.holdfast.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.benchmarks.system.LockClient;
import dev.holdfast.benchmarks.system.LockSystem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The environment of a measurement. */
@Tag("slow")
@Tag("harness")
class SiteTest {
    /** The connections that count are those of clients, to any of the servers; replicas have some too. */
    @Test
    void connections_cluster_areThoseOfClients(@TempDir Path directory) {
        try (Deployment cluster = ClusterDeployment.start()) {
            Site site = cluster.in(new Site(List.of(), List.of(), directory, Pace.INSTANT, ""));
            assertThat(site.servers()).hasSize(6);
            assertThat(site.connections()).isZero();

            try (LockClient client = LockSystem.HOLDFAST.connect(cluster.uri(), Duration.ofSeconds(30))) {
                client.lock("name").lock();

                assertThat(site.connections()).isPositive();
            }
        }
    }
}

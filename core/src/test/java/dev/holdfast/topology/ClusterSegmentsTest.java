package dev.holdfast.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.SegmentLease;
import dev.holdfast.SegmentedLock;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.RedisCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The segments of a lock in a cluster. */
@Tag("topology")
@Tag("driver")
@Tag("slow")
class ClusterSegmentsTest {
    private static final int SEGMENTS = 12;
    private static final String NAME = "stock";

    private static RedisCluster cluster() {
        return RedisCluster.builder()
                .replicasPerMaster(0)
                .config("cluster-require-full-coverage", "no")
                .start();
    }

    private static Set<ClusterNode> mastersOf(RedisCluster cluster) {
        Set<ClusterNode> masters = new HashSet<>();
        for (int i = 0; i < SEGMENTS; i++) {
            masters.add(cluster.masterOf(NAME + ":" + i));
        }
        return masters;
    }

    /** They are on all masters, and each has one holder. */
    @Test
    void segments_areOnAllMasters() {
        try (RedisCluster cluster = cluster();
                Holdfast client = Holdfast.connect(cluster.uris().get(0))) {
            assertThat(mastersOf(cluster)).hasSize(3);
            List<SegmentLease> held = new ArrayList<>();
            SegmentedLock lock = client.getSegmentedLock(NAME, SEGMENTS);
            for (int i = 0; i < SEGMENTS; i++) {
                held.add(lock.acquire());
            }
            assertThat(held.stream().map(SegmentLease::segment)).doesNotHaveDuplicates();
            held.forEach(SegmentLease::close);
        }
    }

    /** While a master does not answer, or is down, the segments of the others are acquired, whichever is tried first. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneMasterIsAway_othersAreAcquired(boolean killed) throws InterruptedException {
        try (RedisCluster cluster = cluster();
                Holdfast client = Holdfast.connect(cluster.uris().get(0))) {
            SegmentedLock lock = client.getSegmentedLock(NAME, SEGMENTS);
            for (int i = 0; i < SEGMENTS; i++) {
                client.getLock(NAME + ":" + i).acquire().close();
            }
            ClusterNode away = cluster.masterOf(NAME + ":0");
            if (killed) {
                away.server().kill();
            } else {
                away.server().pause();
            }
            for (int i = 0; i < 30; i++) {
                Optional<SegmentLease> lease = lock.tryAcquire(Duration.ofSeconds(2));
                assertThat(lease).as("call " + i).isPresent();
                assertThat(cluster.masterOf(NAME + ":" + lease.get().segment())).isNotEqualTo(away);
                lease.get().close();
            }
            if (!killed) {
                away.server().resume();
            }
        }
    }
}

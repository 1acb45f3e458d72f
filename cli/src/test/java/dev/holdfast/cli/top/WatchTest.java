package dev.holdfast.cli.top;

import static dev.holdfast.cli.ProcessWait.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.cli.found.LockScan;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.Failover;
import dev.holdfast.testkit.topology.RedisCluster;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is seen while nodes come and go. */
final class WatchTest {
    /** A Redis that is gone and comes back is shown as that, with what was seen before, and then as it is. */
    @Test
    void watch_outage() {
        try (RedisServer own = RedisServer.builder().start();
                Holdfast client = Holdfast.connect(own.uri());
                LockScan scan = LockScan.connect(List.of(RedisURI.create(own.uri())))) {
            Lease lease = client.getLock("orders").acquire(Duration.ofMinutes(9));
            try (Watch watch = Watch.start(scan, Wanted.of(List.of()), client)) {
                watch.firstRound().join();
                own.kill();
                eventually(() -> watch.snapshot().isLost());
                assertThat(watch.snapshot().notes()).first().asString().startsWith("not connected");
                assertThat(watch.snapshot().entries()).extracting(Entry::name).containsExactly("orders");
                own.restartEmpty();
                eventually(() ->
                        !watch.snapshot().isLost() && watch.snapshot().entries().isEmpty());
            }
            assertThat(lease.releaseAsync()).isNotNull();
        }
    }

    /** A failover, and a master that joins, are a pause for what {@code top} shows. */
    @Test
    @Tag("slow")
    void cluster_isFollowed() {
        try (RedisCluster cluster = RedisCluster.start();
                Holdfast other = Holdfast.connect(cluster.uris().get(0));
                LockScan scan =
                        LockScan.connect(List.of(RedisURI.create(cluster.uris().get(0))));
                Lease a = other.getLock("a").acquire();
                Lease b = other.getLock("b").acquire();
                Watch watch = Watch.start(scan, Wanted.of(List.of()), other)) {
            watch.firstRound().join();
            assertThat(names(watch)).containsExactlyInAnyOrder("a", "b");
            ClusterNode master = cluster.masterOf("a");
            ClusterNode replica = cluster.replicasOf(master).get(0);
            cluster.failover(replica, Failover.AGREED);
            cluster.awaitMaster(replica);
            eventually(() -> scan.nodes().stream().anyMatch(node -> node.id().equals(replica.id())));
            try (Lease c = other.getLock("{a}:later").acquire()) {
                eventually(() -> !watch.snapshot().isLost() && names(watch).equals(List.of("a", "b", "{a}:later")));
                assertThat(c.isValid()).isTrue();
            }
            assertThat(a.isValid() && b.isValid()).isTrue();
        }
    }

    private static List<String> names(Watch watch) {
        return EntryOrder.NAME.sorted(watch.snapshot().entries()).stream()
                .map(Entry::name)
                .toList();
    }
}

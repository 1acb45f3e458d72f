package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.RedisSentinels;
import org.junit.jupiter.api.Test;

/** A cluster and a master under sentinels are addressed by their URIs. */
final class TopologyTest {
    /** In a cluster, a command runs under a lock of any master, and the locks of all masters are listed. */
    @Test
    void cluster() {
        try (RedisCluster cluster = RedisCluster.start()) {
            String uri = "redis://" + String.join(",", cluster.uris()).replace("redis://", "");
            assertThat(Invocation.start(uri, "run", "jobs", "--", "sh", "-c", "exit 3")
                            .exitCode())
                    .isEqualTo(3);
            try (Holdfast other = Holdfast.connect(uri);
                    Lease a = other.getLock("a").acquire();
                    Lease b = other.getLock("b").acquire();
                    Lease c = other.getLock("c").acquire()) {
                assertThat(cluster.masterOf("a")).isNotEqualTo(cluster.masterOf("b"));
                Invocation ls = Invocation.start(uri, "ls");
                assertThat(ls.exitCode()).isZero();
                assertThat(ls.out()).isEqualTo("a\nb\nc\n");
                assertThat(a.isValid() && b.isValid() && c.isValid()).isTrue();
            }
        }
    }

    /** Under sentinels, the locks are on the master. */
    @Test
    void sentinels() {
        try (RedisSentinels sentinels = RedisSentinels.start()) {
            String uri = sentinels.uri();
            assertThat(Invocation.start(uri, "run", "jobs", "--", "sh", "-c", "exit 3")
                            .exitCode())
                    .isEqualTo(3);
            try (Holdfast other = Holdfast.connect(uri);
                    Lease lease = other.getLock("jobs").acquire()) {
                Invocation ls = Invocation.start(uri, "ls");
                assertThat(ls.exitCode()).isZero();
                assertThat(ls.out()).isEqualTo("jobs\n");
                assertThat(lease.isValid()).isTrue();
            }
        }
    }
}

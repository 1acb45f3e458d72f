package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.Permits;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.RedisSentinels;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A cluster and a master under sentinels are addressed by their URIs. */
@Tag("slow")
final class TopologyTest {
    /** In a cluster, a command runs under a lock of any master, and the locks and semaphores of all masters are listed. */
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
                    Lease c = other.getLock("c").acquire();
                    Permits d = other.getSemaphore("a", 3).acquire(2);
                    Permits e = other.getSemaphore("b", 2).acquire()) {
                assertThat(cluster.masterOf("a")).isNotEqualTo(cluster.masterOf("b"));
                Invocation ls = Invocation.start(uri, "ls");
                assertThat(ls.exitCode()).isZero();
                assertThat(ls.out()).isEqualTo("a\nb\nc\na\t2 of 3 permits\t0 in line\nb\t1 of 2 permits\t0 in line\n");
                assertThat(namesOfTop(uri)).containsExactly("lock a", "semaphore a", "lock b", "semaphore b", "lock c");
                assertThat(namesOfTop(uri, "b", "c")).containsExactly("lock b", "semaphore b", "lock c");
                assertThat(Stream.of(a, b, c, d, e)).allMatch(Lease::isValid);
            }
        }
    }

    /** {@return the kind and the name in each line of the table} */
    private static Stream<String> namesOfTop(String uri, String... names) {
        String[] words = Stream.concat(Stream.of("top", "--once", "--order", "name"), Stream.of(names))
                .toArray(String[]::new);
        Invocation top = Invocation.start(uri, words);
        assertThat(top.exitCode()).as(top.err()).isZero();
        return top.out()
                .lines()
                .skip(1)
                .map(line -> String.join(" ", List.of(line.split(" +", 3)).subList(0, 2)));
    }

    /**
     * A user with the rights that are documented lists the locks of all masters. One that lacks the right by which a
     * cluster is recognized, or that by which its masters are found, gets an error, and not a part of the locks.
     */
    @Test
    void cluster_rightsOfLs() {
        try (RedisCluster cluster = RedisCluster.start();
                Holdfast other = Holdfast.connect(cluster.uris().get(0));
                Lease a = other.getLock("a").acquire();
                Lease b = other.getLock("b").acquire()) {
            assertThat(cluster.masterOf("a")).isNotEqualTo(cluster.masterOf("b"));
            String nodes =
                    "+cluster" + (cluster.masterOf("a").server().version().startsWith("6") ? "" : "|nodes");
            assertThat(lsWithRights(cluster, "~*", "+scan", "+hscan", "+info", nodes))
                    .satisfies(ls -> {
                        assertThat(ls.exitCode()).isZero();
                        assertThat(ls.out()).isEqualTo("a\nb\n");
                    });
            assertThat(lsWithRights(cluster, "~*", "+scan", "+hscan", nodes)).satisfies(ls -> {
                assertThat(ls.exitCode()).isEqualTo(69);
                assertThat(ls.out()).isEmpty();
                assertThat(ls.err()).contains("NOPERM");
            });
            assertThat(lsWithRights(cluster, "~*", "+scan", "+hscan", "+info")).satisfies(ls -> {
                assertThat(ls.exitCode()).isEqualTo(69);
                assertThat(ls.out()).isEmpty();
            });
            assertThat(a.isValid() && b.isValid()).isTrue();
        }
    }

    private static Invocation lsWithRights(RedisCluster cluster, String... rights) {
        cluster.nodes().forEach(node -> node.server().setUser("lister", "secret", rights));
        return Invocation.start(cluster.uris().get(0).replace("redis://", "redis://lister:secret@"), "ls");
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
                assertThat(namesOfTop(uri)).containsExactly("lock jobs");
                assertThat(lease.isValid()).isTrue();
            }
        }
    }
}

package dev.holdfast.testkit.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Nodes become members of one cluster. */
final class ClusterFormingTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** An introduction that did not lead to a handshake in time is forgotten by the node, and made again. */
    @Test
    void acquaint_repeatsAForgottenIntroduction() {
        RedisClusterBuilder builder = RedisCluster.builder();
        try (ClusterNode node = builder.newNode(null);
                ClusterNode other = builder.newNode(null)) {
            other.server().kill();
            CompletableFuture<Void> acquainted =
                    CompletableFuture.runAsync(() -> ClusterForming.acquaint(List.of(node, other)));
            String first = joining(node, "none");
            assertThat(joining(node, first)).isNotEqualTo(first);

            other.server().restart();
            assertThat(acquainted).succeedsWithin(TIMEOUT);
            assertThat(node.view().member(other.id())).get().matches(ClusterMember::connected);
        }
    }

    /** {@return the id, which a node chooses at random for each introduction, of the one in progress} */
    private static String joining(ClusterNode node, String otherThan) {
        return await().atMost(TIMEOUT)
                .until(
                        () -> node.view().members().stream()
                                .filter(ClusterMember::isJoining)
                                .map(ClusterMember::id)
                                .findFirst()
                                .orElse(otherThan),
                        id -> !id.equals(otherThan));
    }
}

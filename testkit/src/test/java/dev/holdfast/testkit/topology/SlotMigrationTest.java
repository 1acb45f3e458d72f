package dev.holdfast.testkit.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.testkit.RespConnection;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A slot moves from master to master, at once or step by step. */
@ParameterizedClass
@MethodSource("clusters")
@Tag("slow")
final class SlotMigrationTest {
    private static final String TAG = "tag";
    private static final int SLOT = Slots.of(TAG);
    private static final String FIRST = "{" + TAG + "}:first";
    private static final String SECOND = "{" + TAG + "}:second";

    private final RedisCluster cluster;
    private final ClusterNode source;
    private final ClusterNode target;

    SlotMigrationTest(RedisCluster cluster) {
        this.cluster = cluster;
        this.source = cluster.masterOf(SLOT);
        this.target = cluster.masterBeside(source);
    }

    static Stream<RedisCluster> clusters() {
        return Topologies.clusters(builder -> builder.replicasPerMaster(0).password("secret"));
    }

    @AfterEach
    void empty() {
        cluster.awaitOk();
        cluster.masters().forEach(master -> master.server().command("FLUSHALL"));
    }

    /** A slot moves with all its keys, and every node knows the new owner. */
    @Test
    void migrate_manyKeys() {
        for (int i = 0; i < 250; i++) {
            source.server().command("SET", "{" + TAG + "}:" + i, "value");
        }
        source.server().command("SET", FIRST, "value", "PX", "60000");
        cluster.migrate(SLOT, target);
        assertThat(cluster.masterOf(TAG)).isEqualTo(target);
        assertThat(source.server().keys()).isEmpty();
        assertThat(target.server().keys()).hasSize(251);
        assertThat((Long) target.server().command("PTTL", FIRST)).isBetween(1L, 60_000L);
        assertThatThrownBy(() -> source.server().command("GET", FIRST))
                .hasMessage("MOVED " + SLOT + " 127.0.0.1:" + target.announcedPort());
        assertThatThrownBy(() -> cluster.beginMigration(SLOT, target)).hasMessageContaining("another node");
    }

    /** In the midst of it, the source has a part of the keys and redirects for the others; the target asks for ASKING. */
    @Test
    void beginMigration_divided() throws IOException {
        source.server().command("MSET", FIRST, "1", SECOND, "2");
        SlotMigration migration = cluster.beginMigration(SLOT, target);
        assertThat(source.view().self().migrating()).isEqualTo(Map.of(SLOT, target.id()));
        assertThat(target.view().self().importing()).isEqualTo(Map.of(SLOT, source.id()));
        assertThat(source.server().command("MGET", FIRST, SECOND)).hasToString("[1, 2]");
        migration.moveKey(FIRST);
        assertThatThrownBy(() -> migration.moveKey(FIRST)).hasMessageContaining("does not have the key");
        assertThatThrownBy(() -> migration.moveKey("elsewhere")).hasMessageContaining("must be in slot");
        assertThat(source.server().command("GET", SECOND)).isEqualTo("2");
        assertThatThrownBy(() -> source.server().command("GET", FIRST))
                .hasMessage("ASK " + SLOT + " 127.0.0.1:" + target.announcedPort());
        assertThatThrownBy(() -> source.server().command("MGET", FIRST, SECOND))
                .hasMessageStartingWith(source.server().version().startsWith("6.") ? "ASK" : "TRYAGAIN");
        assertThatThrownBy(() -> target.server().command("GET", FIRST)).hasMessageStartingWith("MOVED");
        try (RespConnection asking = RespConnection.to(target.server(), Waiting.TIMEOUT)) {
            asking.call("ASKING");
            assertThat(asking.call("GET", FIRST)).isEqualTo("1");
            asking.call("ASKING");
            assertThatThrownBy(() -> asking.call("MGET", FIRST, SECOND)).hasMessageStartingWith("TRYAGAIN");
        }
        migration.moveKeys();
        assertThat(cluster.masterOf(TAG)).isEqualTo(source);
        migration.finish();
        assertThat(target.server().command("MGET", FIRST, SECOND)).hasToString("[1, 2]");
        assertThatThrownBy(migration::moveKeys).hasMessageContaining("is over");
    }

    /** An aborted migration leaves the slot and all keys where they were. */
    @Test
    void abort_keysComeBack() {
        source.server().command("MSET", FIRST, "1", SECOND, "2");
        SlotMigration migration = cluster.beginMigration(SLOT, target);
        migration.moveKey(FIRST);
        migration.abort();
        assertThat(source.server().command("MGET", FIRST, SECOND)).hasToString("[1, 2]");
        assertThat(target.server().keys()).isEmpty();
        assertThat(source.view().self().migrating()).isEmpty();
        assertThat(target.view().self().importing()).isEmpty();
        assertThat(cluster.masterOf(TAG)).isEqualTo(source);
    }
}

package dev.holdfast.cli.check;

import static dev.holdfast.cli.check.Lines.assertFound;
import static dev.holdfast.cli.check.Lines.one;
import static dev.holdfast.cli.check.Lines.worst;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.RedisCluster;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Each line about versions, by servers of such versions. */
final class CheckupVersionsTest {
    private static List<Finding> findings(String uri) {
        return Checkup.of(List.of(RedisURI.create(uri)), EnumSet.of(Use.LOCK), "", Clock.systemUTC());
    }

    /** A Valkey says of which Redis it is, too. */
    @Test
    void product_isNamed() {
        try (RedisServer server = RedisServer.builder().start()) {
            String valkey = server.info("valkey_version");
            Finding version = one(findings(server.uri()), Check.VERSION);
            assertThat(version.level()).isEqualTo(Level.OK);
            assertThat(version.figure()).isEqualTo(valkey.isEmpty() ? "Redis " + server.version() : "Valkey " + valkey);
        }
    }

    /** The oldest server at hand is of 6.2: a copy of it has another version in its text. */
    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "other systems start no executable that was changed")
    void tooOld_isFound(@TempDir Path directory) throws IOException {
        try (RedisServer older =
                RedisServer.builder().binary(olderThan62(directory)).start()) {
            assertThat(older.version()).startsWith("6.0.");
            Finding version = one(findings(older.uri()), Check.VERSION);
            assertFound(version, Level.ERROR, "Redis " + older.version());
            assertThat(version.set()).contains("upgrade to Redis 7.0");
        }
    }

    private static RedisBinary olderThan62(Path directory) throws IOException {
        Path file = Path.of(RedisBinary.embedded().toString());
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        Path copy = directory.resolve("redis-server");
        Files.writeString(copy, text.replaceAll("\\b6\\.2(\\.\\d+)", "6.0$1"), StandardCharsets.ISO_8859_1);
        assertThat(copy.toFile().setExecutable(true)).isTrue();
        return RedisBinary.at(copy);
    }

    /** What a line says to set is known to a server of 6.2, too; what rights a user has is not known there, and no line says ok. */
    @Test
    void of62_isRemedied() {
        try (RedisServer server =
                RedisServer.builder().binary(RedisBinary.embedded()).start()) {
            List<Finding> findings = findings(server.uri());
            assertFound(one(findings, Check.PERSISTENCE), Level.WARNING, "appendonly no");
            findings.forEach(finding -> Lines.paste(finding, server));
            assertThat(findings(server.uri()))
                    .filteredOn(finding -> finding.level() != Level.OK && finding.check() != Check.ROUND_TRIP)
                    .isNotEmpty()
                    .allSatisfy(finding -> assertFound(finding, Level.NOTE, "unknown: the server does not say"))
                    .allMatch(finding -> finding.check() == Check.RIGHTS);
        }
    }

    /** A node of 6.2 has no channels of its own, and differs from the newer ones. */
    @Test
    @Tag("slow")
    void clusterInUpgrade_isFound() {
        RedisBinary newer = RedisBinary.byDefault();
        assumeTrue(!newer.equals(RedisBinary.embedded()), "no server but the embedded one is on the PATH");
        try (RedisCluster redis = RedisCluster.builder()
                .binary(RedisBinary.embedded())
                .masters(1)
                .replicasPerMaster(0)
                .start()) {
            ClusterNode older = redis.nodes().get(0);
            RedisServer upgraded = redis.addReplica(older, newer).server();
            List<Finding> findings = findings(older.uri());
            assertThat(Lines.of(findings, Check.VERSION))
                    .extracting(Finding::level)
                    .containsExactlyInAnyOrder(Level.OK, Level.WARNING);
            assertFound(worst(findings, Check.VERSION), Level.WARNING, "clients form no line");
            assertFound(
                    one(findings, Check.VERSIONS),
                    Level.WARNING,
                    older.server().version() + " and " + upgraded.version());
        }
    }
}

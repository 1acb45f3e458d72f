package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast check} as it is called: its lines, its exit codes, and where it takes the address from. */
@TestInstance(Lifecycle.PER_CLASS)
final class CheckCommandTest {
    private final RedisServer server = RedisServer.builder().persistent().start();

    @AfterAll
    void stop() {
        server.close();
    }

    private Invocation check(String... words) {
        return Invocation.start(server.uri(), words);
    }

    /** One line each, and a sum; nothing is written. */
    @Test
    void wellSetUp_exitsWithZero() {
        Invocation check = check("check");
        assertThat(check.exitCode()).as(check.out()).isZero();
        assertThat(check.err()).isEmpty();
        List<String> lines = check.out().lines().toList();
        assertThat(lines)
                .anyMatch(line -> line.matches("ok       version        (Redis|Valkey) [0-9.]+"
                        + " - locks need the commands of Redis 6\\.2; lines of clients in a cluster, those of 7\\.0"));
        assertThat(lines.subList(0, lines.size() - 1)).allMatch(line -> line.matches("(ok|note) +[a-z0-9-]+ +.+ - .+"));
        assertThat(lines.get(lines.size() - 1)).matches("\\d+ ok, \\d+ note, 0 warning, 0 error");
        assertThat(server.keys()).isEmpty();
    }

    /** The worst line decides. */
    @Test
    void exitCodes() {
        server.command("CONFIG", "SET", "timeout", "60");
        try {
            Invocation warning = check("check", "--kinds", "lock,fair");
            assertThat(warning.exitCode()).isEqualTo(10);
            assertThat(warning.out())
                    .containsPattern("(?m)^warning  idle-timeout   timeout 60 s - .* - set: CONFIG SET timeout 0$")
                    .containsPattern("(?m)^(ok|note) +rights +fair[: ]")
                    .doesNotContain("latch");

            server.setUser("few", "secret", "+@all", "-pubsub", "~*", "&*");
            String few = server.uri().replace("redis://", "redis://few:secret@");
            Invocation error = Invocation.start(few, "check");
            assertThat(error.exitCode()).isEqualTo(11);
            assertThat(error.out())
                    .containsPattern("(?m)^error    rights         fair: user few lacks \\+pubsub\\|numsub"
                            + " - without: no fair lock - set: ACL SETUSER few \\+pubsub\\|numsub( .*)?$");
            assertThat(Invocation.start(few, "check", "--kinds", "lock").exitCode())
                    .isEqualTo(10);
        } finally {
            server.command("CONFIG", "SET", "timeout", "0");
        }
    }

    @Test
    void unreachable_exitsWith69() {
        Invocation silent = Invocation.start("redis://127.0.0.1:1", "check");
        assertThat(silent.exitCode()).isEqualTo(69);
        assertThat(silent.err()).contains("127.0.0.1:1", "refused");
        Invocation denied = Invocation.start(server.uri().replace("redis://", "redis://x:wrong@"), "check");
        assertThat(denied.exitCode()).isEqualTo(69);
        assertThat(denied.err()).contains("WRONGPASS").doesNotContain("wrong@");
        Invocation sentinels = Invocation.start("redis-sentinel://127.0.0.1:1/0#orders", "check");
        assertThat(sentinels.exitCode()).isEqualTo(69);
        assertThat(sentinels.err()).contains("no sentinel answers");
        Invocation database = Invocation.start(server.uri() + "/99", "check");
        assertThat(database.exitCode()).isEqualTo(69);
        assertThat(database.err()).contains("database 99");
    }

    /** The address may be an operand, unless it has a password. */
    @Test
    void address(@TempDir Path directory) throws IOException {
        assertThat(Invocation.start("", "check", server.uri()).exitCode()).isZero();
        Path file = Files.writeString(directory.resolve("uri"), server.uri());
        assertThat(Invocation.start("", "check", "--uri-file", file.toString()).exitCode())
                .isZero();
        Invocation secret = Invocation.start("", "check", "redis://:secret@127.0.0.1");
        assertThat(secret.exitCode()).isEqualTo(64);
        assertThat(secret.err()).contains("no operand").doesNotContain("secret");
        for (String wrong : List.of("redis://", "http://127.0.0.1", "127.0.0.1:6379")) {
            assertThat(Invocation.start("", "check", wrong).exitCode())
                    .as(wrong)
                    .isEqualTo(64);
        }
        assertThat(Invocation.start("", "check").exitCode()).isEqualTo(64);
        Invocation kinds = check("check", "--kinds", "lock,barrier");
        assertThat(kinds.exitCode()).isEqualTo(64);
        assertThat(kinds.err()).contains("barrier", "read-write");
    }

    /** The same lines for programs. */
    @Test
    void json() {
        server.setUser("quoted\"user", "secret", "+@all", "~*", "&*");
        String uri = server.uri().replace("redis://", "redis://quoted%22user:secret@");
        Invocation check = Invocation.start(uri, "check", "--json", "--kinds", "lock");
        assertThat(check.exitCode()).as(check.err()).isZero();
        assertThat(check.out())
                .startsWith("[{\"level\":\"ok\",\"check\":\"names\",\"where\":[],")
                .contains("\"level\":\"ok\",\"check\":\"role\",\"where\":[\"127.0.0.1:" + server.port()
                        + "\"],\"figure\":\"master\",\"why\":\"locks are on a master\",\"set\":\"\"}")
                .contains("user quoted\\\"user has what is needed")
                .endsWith("}]\n");
        assertThat(check.out().lines()).allMatch(line -> line.matches("[ \\[]\\{.*}[,\\]]"));
    }
}

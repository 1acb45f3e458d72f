package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the program reads of its environment. */
@Tag("pure")
final class EnvironmentTest {
    private final Path directory;

    EnvironmentTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private static String find(Map<String, String> environment, String... words) {
        return RedisAddress.find(Parser.parse(List.of(words)), environment);
    }

    /** The option counts before the address in the environment, and that before the file in the environment. */
    @Test
    void address_order() throws IOException {
        Path one = Files.writeString(directory.resolve("one"), "\n redis://one \nmore\n");
        Path two = Files.writeString(directory.resolve("two"), "redis://two");
        Map<String, String> both =
                Map.of("HOLDFAST_REDIS_URI", "redis://three", "HOLDFAST_REDIS_URI_FILE", two.toString());

        assertThat(find(both, "ls", "--uri-file", one.toString())).isEqualTo("redis://one");
        assertThat(find(both, "ls")).isEqualTo("redis://three");
        assertThat(find(Map.of("HOLDFAST_REDIS_URI_FILE", two.toString()), "ls"))
                .isEqualTo("redis://two");
    }

    /** There is no default address: a job that lacks its environment must not use another Redis than its peers. */
    @Test
    void address_missing_isRefused() throws IOException {
        Path empty = Files.writeString(directory.resolve("empty"), "\n");

        assertThatThrownBy(() -> find(Map.of(), "ls"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("set HOLDFAST_REDIS_URI");
        assertThatThrownBy(() -> find(Map.of("HOLDFAST_REDIS_URI_FILE", "/nowhere"), "ls"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("/nowhere");
        assertThatThrownBy(() -> find(Map.of(), "ls", "--uri-file", empty.toString()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("is empty");
    }

    /** A malformed address is refused without its password being repeated. */
    @Test
    void address_malformed_passwordIsNotRepeated() {
        assertThatThrownBy(() -> Clients.builder("redis://:sec ret@host"))
                .isInstanceOf(UsageException.class)
                .hasMessageNotContaining("sec ret");
    }

    /** A file that exists cannot be started, and one that does not is not found, by its path and on the PATH. */
    @Test
    void program_whyNotStarted() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");
        Map<String, String> path = Map.of("PATH", "/nowhere:" + directory);

        assertThat(Program.whyNotStarted("file", path)).isEqualTo(ExitCode.CANNOT_START);
        assertThat(Program.whyNotStarted(file.toString(), path)).isEqualTo(ExitCode.CANNOT_START);
        assertThat(Program.whyNotStarted("other", path)).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(Program.whyNotStarted("/nowhere/other", path)).isEqualTo(ExitCode.NOT_FOUND);
    }

    /** In the foreground is a process whose group is that of its terminal; one without a terminal is not. */
    @Test
    void terminal_foreground() {
        assertThat(Terminal.isForeground("7 (a ) b) S 1 7 7 34816 7 4194304")).isTrue();
        assertThat(Terminal.isForeground("7 (java) S 1 7 7 34816 9 4194304")).isFalse();
        assertThat(Terminal.isForeground("7 (java) S 1 7 7 0 -1 4194304")).isFalse();
    }
}

package dev.holdfast.cli.packaged;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.testkit.RedisServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast top} on a terminal, which is one of tmux: keys are pressed, and the screen is looked at. */
@Tag("slow")
final class TopTerminalTest {
    private final Path directory;
    private final RedisServer server = RedisServer.builder().start();
    private final Holdfast other =
            Holdfast.builder().redisUri(server.uri()).label("web-3").build();

    TopTerminalTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @BeforeEach
    void requireTmux() throws Exception {
        boolean isThere = Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(path -> Files.isExecutable(Path.of(path, "tmux")));
        assumeTrue(isThere, "tmux is not installed");
        // The shell is there before the program, and after it.
        tmux("new-session", "-d", "-x", "120", "-y", "20", "env", "PS1=ready> ", "sh");
        see("ready>");
    }

    @AfterEach
    void stop() throws Exception {
        tmux("kill-server");
        other.close();
        server.close();
    }

    /** {@return what tmux has printed} Its server is one of this test alone. */
    private String tmux(String... words) throws Exception {
        String[] command = Stream.concat(
                        Stream.of("tmux", "-S", directory.resolve("tmux").toString(), "-f", "/dev/null"),
                        Stream.of(words))
                .toArray(String[]::new);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C.UTF-8");
        HoldfastProcess.configure(builder.environment(), server.uri());
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return printed;
    }

    private String screen() throws Exception {
        return tmux("capture-pane", "-p");
    }

    /** Waits until all of these are on the screen. */
    private void see(String... texts) {
        await().atMost(60, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(screen()).contains(texts));
    }

    private void press(String... keys) throws Exception {
        tmux(Stream.concat(Stream.of("send-keys"), Stream.of(keys)).toArray(String[]::new));
    }

    private void start(String... words) throws Exception {
        press(
                HoldfastProcess.DIRECTORY.resolve("holdfast") + " top " + String.join(" ", words) + "; echo code $?",
                "Enter");
        see("in use");
    }

    private ProcessHandle program() throws Exception {
        long shell = Long.parseLong(tmux("display-message", "-p", "#{pane_pid}").strip());
        return ProcessHandle.of(shell).orElseThrow().children().findFirst().orElseThrow();
    }

    /** The shell has its terminal back: what was on it before, the echo of what is typed, and lines. */
    private void seeShell(int code) throws Exception {
        see("code " + code);
        assertThat(screen()).contains("ready>").doesNotContain("in use");
        press("echo a''b", "Enter");
        see("\nab\n");
        assertThat(screen()).contains("echo a''b");
    }

    /** A lock is looked at, forced open after a question that names its holder, and gone; what is shown follows the size. */
    @Test
    void top_forcesOpen() throws Exception {
        Lease lost = other.getLock("orders:42").acquire();
        try (Lease prices = other.getReadWriteLock("prices").readLock().acquire()) {
            start();
            see("2 in use", "web-3", "orders:42", "read-write  prices", "q: quit");

            press("/", "4", "2", "Enter");
            see("1 of 2 in use");
            press("Enter");
            see("0 in line", "owner " + other.clientId());
            press("Escape");
            see("o: order");
            tmux("resize-window", "-x", "60", "-y", "12");
            see("\nforce open  q: quit");

            press("f");
            see("Force open lock 'orders:42', held by web-3");
            press("y");
            see("was forced open");
            assertThat(server.keys()).containsOnly("prices");
            see("0 of 1 in use");
            assertThat(prices.isValid()).isTrue();

            press("q");
            seeShell(0);
        }
        assertThat(lost.releaseAsync()).isNotNull();
    }

    /** Ctrl-C and signals leave the terminal as it was, also while Redis does not answer. */
    @Test
    void top_interrupted() throws Exception {
        start("--order", "line");
        press("C-c");
        seeShell(130);
        tmux("clear-history");
        press("clear", "Enter");

        start();
        server.pause();
        see("not connected");
        press("C-z");
        program().destroy();
        seeShell(143);
        server.resume();
    }
}

package dev.holdfast.cli;

import static dev.holdfast.cli.ProcessWait.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockEvent;
import dev.holdfast.LockListener;
import dev.holdfast.testkit.RedisServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lock is lost while the command runs, or Redis is when it has ended. */
final class LossTest {
    private final RedisServer server = RedisServer.builder().start();

    private final Path directory;

    LossTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Invocation run(String option, String value, ShellCommand command) {
        return Invocation.start(server.uri(), "run", option, value, "-c", "jobs", "--", command.line());
    }

    /** The key is deleted: the command is killed by the next renewal, at once, as another owner may be there. */
    @Test
    void keyDeleted_isKilled() {
        ShellCommand command = ShellCommand.stubborn(directory);
        Invocation run = run("--watchdog", "3s", command);
        ProcessHandle[] processes = command.processes();
        server.command("DEL", "jobs");

        ShellCommand.awaitEnd(processes);
        assertThat(run.exitCode()).isEqualTo(70);
        assertThat(run.err()).contains("jobs").contains("lost");
    }

    /** A command that has ended well under a lock that was lost before is reported as that, with a code of choice. */
    @Test
    void keyDeleted_commandEndedWell_isLost() {
        Path file = directory.resolve("go");
        Invocation run = Invocation.start(
                server.uri(),
                "run",
                "--lost-code",
                "9",
                "-c",
                "jobs",
                "--",
                "touch " + file + "; while [ -e " + file + " ]; do sleep 0.02; done");
        eventually(() -> Files.exists(file));
        server.command("DEL", "jobs");
        assertThat(file.toFile().delete()).isTrue();

        assertThat(run.exitCode()).isEqualTo(9);
        assertThat(run.err()).startsWith("holdfast: the command has ended with 0 under a lock that was lost: ");
    }

    /**
     * The lock is lost when it has just been granted by its last owner, and before its lease is extended for the command:
     * this is not started, and there is one message.
     */
    @Test
    void keyDeleted_beforeTheExtension_isLost() throws InterruptedException {
        LockListener deleting = new LockListener() {
            @Override
            public void acquired(LockEvent.Acquired event) {
                server.command("DEL", "jobs");
            }
        };
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream err = new PrintStream(printed, true, StandardCharsets.UTF_8);
        ShellCommand never = ShellCommand.obedient(directory);
        RunSettings settings =
                RunSettings.of(Parser.parse(List.of("run", "--lost-code=9", "-c", "jobs", "--", never.line())));
        try (Holdfast other = Holdfast.builder().redisUri(server.uri()).build()) {
            Lease former = other.getLock("jobs").acquire();
            CompletableFuture<Void> release = CompletableFuture.runAsync(() -> {
                eventually(() -> Long.valueOf(1L).equals(server.command("HEXISTS", "jobs", "line")));
                former.close();
            });
            int code = Run.execute(
                    settings,
                    Clients.builder(server.uri()).addListener(deleting),
                    listener -> {},
                    new Console(Map.of(), System.out, err));

            assertThat(code).isEqualTo(9);
            release.join();
        }
        assertThat(never.hasStarted()).isFalse();
        assertThat(printed.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .startsWith("holdfast: lock 'jobs' of owner ")
                .contains(" was lost ");
    }

    /** Redis is gone when the command has ended: the lock was held until then, so that the code is the command's. */
    @Test
    void redisGone_commandEndedBefore_isNoLoss() {
        Path file = directory.resolve("go");
        Invocation run = Invocation.start(
                server.uri(),
                "run",
                "-c",
                "jobs",
                "--",
                "touch " + file + "; while [ -e " + file + " ]; do sleep 0.02; done; exit 4");
        eventually(() -> Files.exists(file));
        server.kill();
        assertThat(file.toFile().delete()).isTrue();

        assertThat(run.exitCode()).isEqualTo(4);
        assertThat(run.err()).startsWith("holdfast: the lock is not released, and is free when its lease ends: ");
    }
}

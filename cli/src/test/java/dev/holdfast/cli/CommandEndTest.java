package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.RedisServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The command has ended before the lease does that it runs under. */
final class CommandEndTest {
    private final RedisServer server = RedisServer.builder().start();

    private final Path directory;

    CommandEndTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Invocation run(String option, String value, ShellCommand command) {
        return Invocation.start(server.uri(), "run", option, value, "-c", "jobs", "--", command.line());
    }

    /** After the end of the command and its descendants, the release finds the lock in Redis: it was held until then. */
    private void assertEndedInTime(Invocation run, ProcessHandle... processes) {
        ShellCommand.awaitEnd(processes);
        if (server.isPaused()) {
            server.resume();
        }
        assertThat(run.exitCode()).isEqualTo(70);
        assertThat(run.err()).isEqualTo("holdfast: lock 'jobs' is at risk: the command is told to end\n");
    }

    /** Redis is stopped: a command that ends when it is told to has ended in time, with the program that it runs. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void redisStopped_obedient_endsInTime() {
        ShellCommand command = ShellCommand.obedient(directory);
        Invocation run = run("--watchdog", "15s", command);
        ProcessHandle[] processes = command.processes();
        server.pause();

        assertEndedInTime(run, processes);
    }

    /** Redis is stopped: a command that does not end is killed in time, with the program that it runs. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void redisStopped_stubborn_isKilledInTime() {
        ShellCommand command = ShellCommand.stubborn(directory);
        Invocation run = run("--watchdog", "15s", command);
        ProcessHandle[] processes = command.processes();
        server.pause();

        assertEndedInTime(run, processes);
    }

    /** An explicit lease is nearly over: the command is told to end, and killed if it does not, while it lasts. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void explicitLease_stubborn_isKilledInTime() {
        ShellCommand command = ShellCommand.stubborn(directory);
        Invocation run = run("--lease", "15s", command);

        assertEndedInTime(run, command.processes());
    }
}

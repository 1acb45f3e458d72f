package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.Writer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A frozen process does nothing, and continues after it is resumed. */
final class FreezerTest {
    @BeforeEach
    void onlyWithSignals() {
        assumeTrue(Freezer.hasShell(), "signals are sent by a shell");
    }

    /** A frozen process replies to a request once it is resumed. */
    @Test
    void freeze_thenThaw() throws Exception {
        Process echo = new ProcessBuilder("cat").start();
        try {
            Freezer.freeze(echo);
            send(echo, "hello");
            CompletableFuture<String> reply = CompletableFuture.supplyAsync(() -> line(echo));
            assertThatThrownBy(() -> reply.get(ProcessChecks.PAUSE.toMillis(), TimeUnit.MILLISECONDS))
                    .isInstanceOf(TimeoutException.class);
            Freezer.thaw(echo);
            assertThat(reply.get(ProcessChecks.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS))
                    .isEqualTo("hello");
        } finally {
            echo.destroyForcibly();
        }
    }

    /** Freezing a process that has ended throws. */
    @Test
    void freeze_ended() throws Exception {
        Process gone = new ProcessBuilder("true").start();
        gone.waitFor();
        assertThatThrownBy(() -> Freezer.freeze(gone))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has ended");
    }

    private static void send(Process process, String line) throws IOException {
        Writer input = process.outputWriter();
        input.write(line + "\n");
        input.flush();
    }

    private static String line(Process process) {
        try {
            return process.inputReader().readLine();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}

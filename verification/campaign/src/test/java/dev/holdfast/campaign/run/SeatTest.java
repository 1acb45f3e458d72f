package dev.holdfast.campaign.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.worker.Worker;
import dev.holdfast.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The place of a client, with processes that print prepared replies. */
class SeatTest {
    private final Path directory;
    private final List<Process> processes = new ArrayList<>();

    SeatTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /** The failures of a killed client are reported. */
    @Test
    void kill_afterFailures() throws InterruptedException {
        try (Crew crew =
                crew("printf 'Failed\\tan actor ended\\nFailed\\tanother ended\\n'; touch said; read forever")) {
            Seat seat = begun(crew);
            Eventually.await().until(() -> Files.exists(directory.resolve("said")));

            seat.kill();
            seat.replace();

            assertThat(seat.failures()).containsExactly("client-0: an actor ended", "client-0: another ended");
        }
    }

    /** The end by the kill is not a failure. */
    @Test
    void kill_noFailure() throws InterruptedException {
        try (Crew crew = crew("read forever")) {
            Seat seat = begun(crew);

            seat.kill();

            assertThat(seat.failures()).isEmpty();
        }
    }

    /** An end before the kill is a failure. */
    @Test
    void kill_afterItsEnd() throws InterruptedException {
        try (Crew crew = crew("exit 0")) {
            Seat seat = begun(crew);
            processes.get(0).waitFor();

            seat.kill();

            assertThat(seat.failures()).containsExactly("client-0: the process has ended");
        }
    }

    /** The client is closed, and another one opened in the same process, under another name. */
    @Test
    void reopen_sameProcess() throws InterruptedException {
        try (Crew crew = crew("read close; echo Closed; read begin; echo Begun; read forever")) {
            Seat seat = begun(crew);
            int before = processes.size();

            seat.close();
            seat.reopen();
            seat.awaitBegun();

            assertThat(seat.process()).isEqualTo("client-0.1");
            assertThat(processes).hasSize(before);
            assertThat(seat.failures()).isEmpty();
        }
    }

    /** A process that ends when its client is closed is replaced, and that is reported. */
    @Test
    void reopen_afterItsEnd() throws InterruptedException {
        try (Crew crew = crew("read close; exit 0")) {
            Seat seat = begun(crew);

            seat.close();
            seat.reopen();
            seat.awaitBegun();

            assertThat(seat.failures()).hasSize(1);
            assertThat(seat.process()).isEqualTo("client-0.1");
        }
    }

    private Seat begun(Crew crew) throws InterruptedException {
        Seat seat = new Seat(crew, 0, 1, "redis://127.0.0.1:1", directory);
        seat.awaitBegun();
        return seat;
    }

    /** @param script the commands of each process after it has begun */
    private Crew crew(String script) throws InterruptedException {
        Crew crew = new Crew(() -> {
            try {
                Process process = new ProcessBuilder("/bin/sh", "-c", "echo Ready; read begin; echo Begun; " + script)
                        .directory(directory.toFile())
                        .start();
                processes.add(process);
                return Worker.of(process);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        crew.await(List.of(0));
        return crew;
    }
}

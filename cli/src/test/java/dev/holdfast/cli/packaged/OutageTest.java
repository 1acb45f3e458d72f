package dev.holdfast.cli.packaged;

import static dev.holdfast.cli.ProcessWait.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.RedisServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the program prints when Redis fails: its own messages, and nothing of the libraries that it is made of. */
@Tag("slow")
final class OutageTest {
    private final RedisServer server = RedisServer.builder().start();
    private final Path directory;

    OutageTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static String printed(Process holdfast) throws IOException {
        return new String(holdfast.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Redis is gone while the command runs: the driver tries to reconnect, and logs nothing. */
    @Test
    void redisGone_oneMessage() throws Exception {
        Path file = directory.resolve("go");
        Process holdfast = HoldfastProcess.builder(
                        server.uri(),
                        "run",
                        "-c",
                        "jobs",
                        "--",
                        "touch " + file + "; while [ -e " + file + " ]; do sleep 0.02; done; exit 4")
                .start();
        eventually(() -> Files.exists(file));
        server.kill();
        Files.delete(file);

        assertThat(printed(holdfast).lines())
                .singleElement()
                .asString()
                .startsWith("holdfast: the lock is not released, and is free when its lease ends: ");
        assertThat(holdfast.waitFor()).isEqualTo(4);
    }
}

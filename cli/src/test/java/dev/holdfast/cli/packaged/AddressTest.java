package dev.holdfast.cli.packaged;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.RedisServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether a command finds the address of Redis, which may contain a password, in its environment. */
final class AddressTest {
    private static final String PRINT = "echo ${HOLDFAST_REDIS_URI-none} ${HOLDFAST_REDIS_URI_FILE-none}";

    @AutoClose
    private final RedisServer server = RedisServer.builder().start();

    private static String output(ProcessBuilder holdfast) throws IOException, InterruptedException {
        Process run = holdfast.start();
        String printed = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(run.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(run.exitValue()).as(printed).isZero();
        return printed;
    }

    /** It is kept from the command, which may be any program and print its environment, unless the user asks for it. */
    @Test
    void address_isPassedOnRequest() throws IOException, InterruptedException {
        assertThat(output(HoldfastProcess.builder(server.uri(), "run", "-c", "jobs", "--", PRINT)))
                .isEqualTo("none none\n");
        assertThat(output(HoldfastProcess.builder(server.uri(), "run", "--pass-address", "-c", "jobs", "--", PRINT)))
                .isEqualTo(server.uri() + " none\n");
    }

    /** The name of a file is no secret: a script that runs the program again finds the same Redis. */
    @Test
    void file_isPassed(@TempDir Path directory) throws IOException, InterruptedException {
        Path file = Files.writeString(directory.resolve("uri"), server.uri());
        ProcessBuilder holdfast = HoldfastProcess.builder("", "run", "-c", "jobs", "--", PRINT);
        holdfast.environment().remove("HOLDFAST_REDIS_URI");
        holdfast.environment().put("HOLDFAST_REDIS_URI_FILE", file.toString());

        assertThat(output(holdfast)).isEqualTo("none " + file + "\n");
    }
}

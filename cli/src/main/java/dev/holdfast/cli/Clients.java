package dev.holdfast.cli;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Configures the clients of this program. */
final class Clients {
    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

    private Clients() {}

    /**
     * {@return a client that is not connected yet} Its callbacks run on the thread that has them: those of this program
     * only put events into a queue.
     *
     * @throws UsageException if the address is malformed
     */
    static HoldfastBuilder builder(String address) {
        try {
            return Holdfast.builder().redisUri(address).callbackExecutor(Runnable::run);
        } catch (IllegalArgumentException e) {
            throw new UsageException("the address of Redis is wrong: " + e.getMessage());
        }
    }

    /** {@return the label of this process: its host, without asking a name server, and its id} */
    static String label(Map<String, String> environment) {
        return host(environment) + "/" + ProcessHandle.current().pid();
    }

    private static String host(Map<String, String> environment) {
        try {
            if (Files.exists(HOST_NAME)) {
                return Files.readString(HOST_NAME, StandardCharsets.UTF_8).strip();
            }
        } catch (IOException e) {
            // The environment may have it.
        }
        return environment.getOrDefault("HOSTNAME", "localhost");
    }
}

package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which executable is the server of a JVM. */
final class RedisBinaryTest {
    private static final String NOWHERE = "/nowhere";

    /** A JVM that prints its choice. */
    static final class Choice {
        private Choice() {}

        public static void main(String[] arguments) {
            System.out.println(RedisBinary.byDefault());
        }
    }

    /** {@return the choice of a JVM with this environment, or the exception that it ended with} */
    private static String chosen(Map<String, String> environment, String... options)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Choice.class.getName()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove(RedisBinary.ENVIRONMENT);
        builder.environment().putAll(environment);
        Process jvm = builder.start();
        String output = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        jvm.waitFor();
        return output.strip();
    }

    private static Path executable(Path directory, String name) throws IOException {
        Path file = Files.createFile(directory.resolve(name));
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    /** Without a choice it is the Redis on the PATH, wherever a Valkey is; without a Redis, the Valkey. */
    @Test
    void byDefault_onPath(@TempDir Path first, @TempDir Path second) throws IOException, InterruptedException {
        Path valkey = executable(first, "valkey-server");
        assertThat(chosen(Map.of("PATH", first + ":" + second))).isEqualTo(valkey.toString());
        Path redis = executable(second, "redis-server");
        assertThat(chosen(Map.of("PATH", first + ":" + second))).isEqualTo(redis.toString());
    }

    /** The environment variable chooses another one, and the system property has precedence over it. */
    @Test
    void byDefault_chosen(@TempDir Path directory) throws IOException, InterruptedException {
        Path other = executable(directory, "other-server");
        Path onPath = executable(directory, "redis-server");
        String path = directory.toString();
        assertThat(chosen(Map.of("PATH", path, RedisBinary.ENVIRONMENT, other.toString())))
                .isEqualTo(other.toString());
        assertThat(chosen(Map.of(RedisBinary.ENVIRONMENT, "embedded"))).contains("holdfast-redis-binary-");
        assertThat(chosen(
                        Map.of("PATH", path, RedisBinary.ENVIRONMENT, other.toString()),
                        "-D" + RedisBinary.PROPERTY + "=path"))
                .isEqualTo(onPath.toString());
        assertThat(chosen(Map.of("PATH", path, RedisBinary.ENVIRONMENT, " "))).isEqualTo(onPath.toString());
    }

    /** A choice that is not there is an error, and not another server. */
    @Test
    void byDefault_absent(@TempDir Path directory) throws IOException, InterruptedException {
        Path missing = directory.resolve("redis-server");
        assertThat(chosen(Map.of(RedisBinary.ENVIRONMENT, missing.toString())))
                .contains("a server binary must be an executable file, was " + missing);
        assertThat(chosen(Map.of("PATH", NOWHERE, RedisBinary.ENVIRONMENT, "path")))
                .contains("requires a server on the PATH, but none of [redis-server, valkey-server] is on it");
    }
}

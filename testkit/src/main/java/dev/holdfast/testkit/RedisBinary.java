package dev.holdfast.testkit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.embedded.core.ExecutableProvider;

/**
 * An executable that is a Redis server. By default it is {@code redis-server} or {@code valkey-server} from the PATH,
 * and on a machine with neither the one inside the embedded-redis artifact.
 *
 * <p>The system property {@value #PROPERTY}, or else the environment variable {@value #ENVIRONMENT}, makes the choice
 * explicit, so that a build can run once on each: {@code path}, {@code embedded}, or the executable's file.
 */
public final class RedisBinary {
    /** The system property that chooses the executable. */
    public static final String PROPERTY = "holdfast.test.binary";

    /** The environment variable that chooses the executable when the system property does not. */
    public static final String ENVIRONMENT = "HOLDFAST_TEST_BINARY";

    private static final List<String> NAMES = List.of("redis-server", "valkey-server");

    private final Path executable;

    private RedisBinary(Path executable) {
        this.executable = executable;
    }

    /**
     * The executable for this run, by the rules above.
     *
     * @throws IllegalStateException if the requested one does not exist
     */
    public static RedisBinary byDefault() {
        String wanted = System.getProperty(PROPERTY, System.getenv(ENVIRONMENT));
        if (wanted == null || wanted.isBlank()) {
            return onPath().orElseGet(RedisBinary::embedded);
        }
        return switch (wanted) {
            case "embedded" -> embedded();
            case "path" ->
                onPath().orElseThrow(() -> new IllegalStateException(
                        PROPERTY + " requires a server on the PATH, but none of " + NAMES + " is on it"));
            default -> at(Path.of(wanted));
        };
    }

    /** {@return the first server executable on the PATH, if there is one} */
    public static Optional<RedisBinary> onPath() {
        String path = System.getenv("PATH");
        return path == null ? Optional.empty() : firstOn(path);
    }

    private static Optional<RedisBinary> firstOn(String path) {
        return NAMES.stream()
                .flatMap(name -> Stream.of(path.split(Pattern.quote(File.pathSeparator), -1))
                        .filter(directory -> !directory.isEmpty())
                        .map(directory -> Path.of(directory, name)))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst()
                .map(RedisBinary::new);
    }

    /** {@return the server inside the embedded-redis artifact, unpacked once per JVM and deleted at its exit} */
    public static RedisBinary embedded() {
        return Embedded.BINARY;
    }

    /**
     * {@return the executable in {@code file}}
     *
     * @throws IllegalStateException if there is none
     */
    public static RedisBinary at(Path file) {
        if (!Files.isRegularFile(file) || !Files.isExecutable(file)) {
            throw new IllegalStateException("a server binary must be an executable file, was " + file);
        }
        return new RedisBinary(file);
    }

    Path executable() {
        return executable;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RedisBinary that && executable.equals(that.executable);
    }

    @Override
    public int hashCode() {
        return executable.hashCode();
    }

    @Override
    public String toString() {
        return executable.toString();
    }

    /** Unpacked on first use, since most runs never need it. */
    private static final class Embedded {
        static final RedisBinary BINARY = unpack();

        private static RedisBinary unpack() {
            try {
                File directory =
                        Files.createTempDirectory("holdfast-redis-binary-").toFile();
                directory.deleteOnExit();
                File executable =
                        ExecutableProvider.newJarResourceProvider(directory).get();
                executable.deleteOnExit();
                return at(executable.toPath());
            } catch (IOException e) {
                throw new UncheckedIOException("cannot unpack the embedded redis-server", e);
            }
        }
    }
}

package dev.holdfast.cli.packaged;

import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/** The program as a process: its script becomes the Java that it starts. */
final class HoldfastProcess {
    /** What the build has made. */
    static final Path DIRECTORY = Path.of(System.getProperty("holdfast.directory"));

    private HoldfastProcess() {}

    static ProcessBuilder builder(String redisUri, String... words) {
        ProcessBuilder builder = new ProcessBuilder(
                Stream.concat(Stream.of(DIRECTORY.resolve("holdfast").toString()), Stream.of(words))
                        .toList());
        configure(builder.environment(), redisUri);
        return builder.redirectErrorStream(true);
    }

    /** The Java of the test, and this Redis. */
    static void configure(Map<String, String> environment, String redisUri) {
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("HOLDFAST_REDIS_URI", redisUri);
    }
}

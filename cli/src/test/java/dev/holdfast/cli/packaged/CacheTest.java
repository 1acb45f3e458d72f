package dev.holdfast.cli.packaged;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.testkit.RedisServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cache of loaded and linked classes, on the Java of the test. */
@Tag("slow")
final class CacheTest {
    private static final String TOKEN_KEY = "redisson_lock_token:{holdfast:cache}";

    private final RedisServer server = RedisServer.builder().start();
    private final Path directory;

    CacheTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** {@return what the program has printed; it has succeeded} */
    private String printed(Map<String, String> environment, String... words) throws Exception {
        ProcessBuilder builder = HoldfastProcess.builder(server.uri(), words);
        builder.environment().putAll(environment);
        Process holdfast = builder.start();
        String printed = new String(holdfast.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(holdfast.waitFor()).as(printed).isZero();
        return printed;
    }

    /** The cache is made in the directory that is named; a start takes the program's classes from it, and prints as without it. */
    @Test
    void makeCache_isUsedByStarts() throws Exception {
        assumeTrue(
                Files.exists(Path.of(System.getProperty("java.home"), "lib", "server", "classes.jsa")),
                "this Java has no archive of its own classes");
        String caches = directory.resolve("caches").toString();

        Path cache = Path.of(
                printed(Map.of("HOLDFAST_CACHE_DIR", caches), "--make-cache").strip());
        assertThat(cache).isNotEmptyFile().hasParent(Path.of(caches));
        assertThat(server.keys()).as("what stays, one key for all caches").containsOnly(TOKEN_KEY);

        Path loaded = directory.resolve("loaded");
        Map<String, String> logged =
                Map.of("HOLDFAST_CACHE_DIR", caches, "HOLDFAST_JAVA_OPTS", "-Xlog:class+load:file=" + loaded);
        assertThat(printed(logged, "run", "jobs", "--", "echo", "done")).isEqualTo("done\n");
        assertThat(loaded).content().containsPattern("dev\\.holdfast\\.cli\\.Main source: shared objects file");
    }

    /** A user without a home directory has no cache directory: what others have put into a shared one is not loaded. */
    @Test
    void noHome_sharedDirectoryIsNotRead() throws Exception {
        String version = "17-" + UUID.randomUUID();
        Path java = directory.resolve("java");
        Path program = Files.createDirectories(java.resolve("bin")).resolve("java");
        Files.writeString(program, "#!/bin/sh\necho \"$@\"\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Files.writeString(java.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        Path shared = Files.createDirectories(Path.of("/tmp/.cache/holdfast"));
        Path archive = Files.createFile(shared.resolve("holdfast-" + version + ".cache"));
        try {
            ProcessBuilder builder = withoutHome("who", "jobs");
            builder.environment().put("JAVA_HOME", java.toString());
            Process holdfast = builder.start();

            assertThat(new String(holdfast.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("who jobs")
                    .doesNotContain(".cache");
        } finally {
            Files.delete(archive);
        }
    }

    /** Where there is no directory to write a cache to, that is said. */
    @Test
    void makeCache_noHome_asksForDirectory() throws Exception {
        ProcessBuilder builder = withoutHome("--make-cache");
        builder.environment().put("HOLDFAST_CACHE_DIR", "/dev/null/none");
        Process holdfast = builder.start();

        assertThat(new String(holdfast.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("holdfast: there is no directory for the cache: HOLDFAST_CACHE_DIR must name one\n");
        assertThat(holdfast.waitFor()).isEqualTo(64);
    }

    private ProcessBuilder withoutHome(String... words) {
        ProcessBuilder builder = HoldfastProcess.builder(server.uri(), words);
        builder.environment().keySet().removeAll(List.of("HOME", "XDG_CACHE_HOME", "HOLDFAST_CACHE_DIR"));
        return builder;
    }
}

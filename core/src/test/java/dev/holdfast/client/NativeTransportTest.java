package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.RedisServer;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * A native transport on the class path that is not of the driver's Netty version: there is no client, and the error names
 * what does not fit; or the client does without it. Each in a process of its own.
 */
@Tag("slow")
@Timeout(60)
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
final class NativeTransportTest {
    private static final Path TRANSPORTS = Path.of("target", "native-transports");
    private static final String OLD = "4.1.118.Final";
    private static final String OTHER = "4.2.6.Final";

    @AutoClose
    private final RedisServer server = RedisServer.start();

    private static String classes(String version) {
        return TRANSPORTS
                .resolve("netty-transport-classes-epoll-" + version + ".jar")
                .toString();
    }

    private static String library(String version) {
        return TRANSPORTS
                .resolve("netty-transport-native-epoll-" + version + "-linux-x86_64.jar")
                .toString();
    }

    /** {@return what the process prints that acquires a lock with these jars on its class path} */
    private String acquired(String... jars) throws IOException {
        List.of(jars).forEach(jar -> assertThat(Path.of(jar)).exists());
        String classPath = Stream.concat(Stream.of(jars), Stream.of(System.getProperty("java.class.path")))
                .collect(Collectors.joining(File.pathSeparator));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classPath,
                        AcquiringProcess.class.getName(),
                        server.uri(),
                        "native-transport")
                .redirectErrorStream(true)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Without any, the client works, by Java's own selectors. */
    @Test
    void none_works() throws Exception {
        assertThat(acquired()).contains("acquired\n");
    }

    /** Classes without their library are not used. */
    @Test
    void classesAlone_work() throws Exception {
        assertThat(acquired(classes(OLD))).contains("acquired\n");
    }

    @Test
    void ofAnotherMinorVersion_fails() throws Exception {
        assertThat(acquired(classes(OLD), library(OLD)))
                .containsAnyOf("NoClassDefFoundError: io/netty/channel/epoll/EpollIoHandler", "UnsatisfiedLinkError")
                .doesNotContain("acquired");
    }

    @Test
    void ofAnotherPatchLevel_fails() throws Exception {
        assertThat(acquired(classes(OTHER), library(OTHER)))
                .contains("LockException: cannot connect to Redis at")
                .contains("UnsatisfiedLinkError: 'int io.netty.channel.unix.ErrorsStaticallyReferencedJniMethods.")
                .doesNotContain("acquired");
    }
}

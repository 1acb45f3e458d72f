package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a started server does for a test, on each executable this machine has. */
final class RedisServerTest {
    static List<RedisBinary> binaries() {
        return Optional.of(RedisBinary.embedded()).stream()
                .flatMap(embedded -> RedisBinary.onPath().map(onPath -> List.of(embedded, onPath)).stream())
                .findFirst()
                .orElseGet(() -> List.of(RedisBinary.embedded()));
    }

    /** A started server answers, is empty, keeps nothing on disk and says which version it is. */
    @ParameterizedTest
    @MethodSource("binaries")
    void start_anyBinary(RedisBinary binary) {
        try (RedisServer server = RedisServer.builder().binary(binary).start()) {
            assertThat(server.isManaged()).isTrue();
            assertThat(server.isRunning()).isTrue();
            assertThat(server.uri()).isEqualTo("redis://127.0.0.1:" + server.port());
            assertThat(server.version()).matches("\\d+\\.\\d+\\.\\d+.*");
            assertThat(server.keys()).isEmpty();
            assertThat(server.command("PING")).isEqualTo("PONG");
            assertThat(server.command("CONFIG", "GET", "save")).isEqualTo(List.of("save", ""));
            assertThat(server.command("CONFIG", "GET", "appendonly")).isEqualTo(List.of("appendonly", "no"));
        }
    }
}

package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Idle connections are probed by the operating system, so that no network device forgets them. */
@Tag("client")
class KeepAliveTest {
    private static final List<Path> TABLES = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));

    /** Less than the time after which the strictest devices forget a connection, and far less than the kernel's two hours. */
    private static final Duration MOST = Duration.ofSeconds(20);

    /** The state of an established connection, and the timer of its next probe, in Linux's table of connections. */
    private static final String ESTABLISHED = "01";

    private static final String KEEPALIVE = "02";

    private static final int TICKS_PER_SECOND = 100;

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    @BeforeEach
    void needsLinux() {
        assumeTrue(TABLES.stream().allMatch(Files::isReadable));
    }

    /** The next probe of each connection of a client, for commands and for subscriptions, is due soon. */
    @Test
    void idleConnections_areProbed() {
        assertThat(redis.client().isConnected()).isTrue();

        Patience.await().untilAsserted(() -> assertThat(timers())
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(timer -> {
                    assertThat(timer).startsWith(KEEPALIVE + ":");
                    long ticks = Long.parseLong(timer.substring(KEEPALIVE.length() + 1), 16);
                    assertThat(Duration.ofSeconds(ticks / TICKS_PER_SECOND)).isLessThan(MOST);
                }));
    }

    /** {@return the timers of all connections of this machine to the server, as their number and when they expire} */
    private static List<String> timers() {
        String server = ":%04X".formatted(redis.server().port());
        return TABLES.stream()
                .flatMap(KeepAliveTest::lines)
                .map(line -> line.strip().split("\\s+"))
                .filter(row -> row[2].endsWith(server) && row[3].equals(ESTABLISHED))
                .map(row -> row[5])
                .toList();
    }

    private static Stream<String> lines(Path table) {
        try {
            return Files.readAllLines(table).stream().skip(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

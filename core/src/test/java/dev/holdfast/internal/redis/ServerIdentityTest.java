package dev.holdfast.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.redis.ServerIdentity.Relation;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whether the server of a connection is that of the connection before. */
@Tag("pure")
final class ServerIdentityTest {
    private static final SocketAddress HERE = InetSocketAddress.createUnresolved("a", 6379);
    private static final SocketAddress THERE = InetSocketAddress.createUnresolved("b", 6379);
    private static final Duration AWAY = Duration.ofMillis(2500);

    private static ServerIdentity server(@Nullable String runId, long uptimeSeconds, SocketAddress address) {
        return new ServerIdentity(false, runId, Duration.ofSeconds(uptimeSeconds), address);
    }

    private static final ServerIdentity FORMER = server("a1", 100, HERE);

    /** The same process has all data, wherever it is. */
    @Test
    void sameProcess() {
        assertThat(server("a1", 103, HERE).to(FORMER, AWAY)).isEqualTo(Relation.SAME);
        assertThat(server("a1", 103, THERE).to(FORMER, AWAY)).isEqualTo(Relation.SAME);
    }

    /** A process that began while there was no connection, at the same address, is a restart; uptimes are whole seconds. */
    @Test
    void restarted() {
        assertThat(server("b2", 0, HERE).to(FORMER, AWAY)).isEqualTo(Relation.RESTARTED);
        assertThat(server("b2", 3, HERE).to(FORMER, AWAY)).isEqualTo(Relation.RESTARTED);
    }

    /** A process that is older, or at another address, is another server. */
    @Test
    void another() {
        assertThat(server("b2", 4, HERE).to(FORMER, AWAY)).isEqualTo(Relation.OTHER);
        assertThat(server("b2", 0, THERE).to(FORMER, AWAY)).isEqualTo(Relation.OTHER);
    }

    /** One that does not reveal its process may be another one. */
    @Test
    void unknown() {
        assertThat(server(null, 0, HERE).to(FORMER, AWAY)).isEqualTo(Relation.OTHER);
        assertThat(FORMER.to(server(null, 0, HERE), AWAY)).isEqualTo(Relation.OTHER);
        assertThat(server(null, 0, HERE).to(server(null, 0, HERE), AWAY)).isEqualTo(Relation.OTHER);
    }
}

package dev.holdfast.fault.close;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CapturedWarnings;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.LockException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clients are closed while they try to reconnect: no reconnect attempt runs on after their threads have ended. */
@Tag("fault")
@Tag("driver")
class CloseDuringReconnectTest {
    /** Enough for one of them to be in the part of its close that takes a few milliseconds. */
    private static final int CLIENTS = 40;

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    /**
     * The driver limits each handshake, and that timeout outlives a refused connection: it fires during the close.
     * (Netty may log more about other clients that have just closed, because the driver shares the name resolver within
     * a process.)
     */
    @Test
    void reconnecting_endsWithTheClose() {
        List<Holdfast> clients = Stream.generate(this::restless).limit(CLIENTS).toList();
        faulty.proxy().refuse();
        faulty.proxy().cutRst();
        // This call waits for a command timeout, which is the time that limit takes.
        assertThatThrownBy(clients.get(0).getLock("orders:42")::isLocked).isInstanceOf(LockException.class);

        try (CapturedWarnings log = new CapturedWarnings()) {
            clients.forEach(faulty::close);

            assertThat(log.text()).doesNotContain("at io.lettuce.core.protocol.");
        }
    }

    private Holdfast restless() {
        return faulty.client(builder -> builder.reconnectDelay(Duration.ofMillis(2)));
    }
}

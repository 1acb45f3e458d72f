package dev.holdfast.fault.connection;

import static dev.holdfast.FaultyRedis.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ConnectionEvent;
import dev.holdfast.ConnectionEvents;
import dev.holdfast.ConnectionRole;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Listeners are notified of outages. */
@Tag("fault")
@Tag("driver")
final class ConnectionEventTest {
    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final ConnectionEvents listener = new ConnectionEvents();
    private final List<ConnectionEvent> events = listener.all();

    private List<ConnectionEvent> events(ConnectionRole role) {
        return events.stream().filter(event -> event.role() == role).toList();
    }

    /**
     * The loss and return of each connection is published once and counted; the first connection and the close are not.
     */
    @Test
    void cut_isPublishedForBothConnections() {
        Holdfast client = faulty.client(builder -> builder.addListener(listener));
        try (Lease lease = client.getLock("orders:42").acquire()) {
            assertThat(events).isEmpty();

            faulty.proxy().cutRst();

            eventually(() -> client.stats().reconnects() == 2 && client.isConnected());
            eventually(() -> events.size() == 4);
            for (ConnectionRole role : ConnectionRole.values()) {
                assertThat(events(role))
                        .extracting(event -> (Object) event.getClass())
                        .containsExactly(ConnectionEvent.Disconnected.class, ConnectionEvent.Reconnected.class);
            }
            assertThat(events).allMatch(event -> event.clientId().equals(client.clientId()));
            assertThat(lease.isValid()).isTrue();
        }
        faulty.close(client);
        assertThat(events).hasSize(4);
    }
}

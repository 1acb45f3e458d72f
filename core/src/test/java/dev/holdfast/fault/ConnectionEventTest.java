package dev.holdfast.fault;

import static dev.holdfast.FaultyRedis.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ConnectionEvent;
import dev.holdfast.ConnectionRole;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Listeners are notified of outages. */
@Tag("fault")
final class ConnectionEventTest {
    @RegisterExtension
    final FaultyRedis day = new FaultyRedis();

    private final List<ConnectionEvent> told = new CopyOnWriteArrayList<>();

    private final LockListener listener = new LockListener() {
        @Override
        public void disconnected(ConnectionEvent.Disconnected event) {
            told.add(event);
        }

        @Override
        public void reconnected(ConnectionEvent.Reconnected event) {
            told.add(event);
        }
    };

    private List<ConnectionEvent> told(ConnectionRole role) {
        return told.stream().filter(event -> event.role() == role).toList();
    }

    /**
     * The loss and return of each connection is published once and counted; the first connection and the close are not.
     */
    @Test
    void cut_isPublishedForBothConnections() {
        Holdfast client = day.client(builder -> builder.addListener(listener));
        try (Lease lease = client.getLock("orders:42").acquire()) {
            assertThat(told).isEmpty();

            day.proxy().cutRst();

            eventually(() -> client.stats().reconnects() == 2 && client.isConnected());
            eventually(() -> told.size() == 4);
            for (ConnectionRole role : ConnectionRole.values()) {
                assertThat(told(role))
                        .extracting(event -> (Object) event.getClass())
                        .containsExactly(ConnectionEvent.Disconnected.class, ConnectionEvent.Reconnected.class);
            }
            assertThat(told).allMatch(event -> event.clientId().equals(client.clientId()));
            assertThat(lease.isValid()).isTrue();
        }
        day.close(client);
        assertThat(told).hasSize(4);
    }
}

package dev.holdfast.pubsub;

import io.netty.util.Timer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects a connection that is dead without having been closed. A subscriber sends no data, so the operating system
 * would detect that after most of a minute or never. Therefore the server is pinged while there are waiters, and too
 * many pings without a reply end the connection. Any message counts as a reply.
 */
final class Heartbeat {
    private static final Logger log = LoggerFactory.getLogger(Heartbeat.class);

    private final Supplier<Wire> wire;
    private final BooleanSupplier expecting;
    private final int pingsAllowed;
    private final CoalescedTimer timer;
    /**
     * Whether the server sent data since the last ping. Set by the I/O thread, cleared by the check before it sends the
     * ping.
     */
    private volatile boolean received;
    /**
     * Pings since the server last sent data. Written only by the check; checks never overlap, since each one starts the
     * next.
     */
    private volatile int unanswered;

    Heartbeat(Timer timer, PubSubSettings settings, Supplier<Wire> wire, BooleanSupplier expecting) {
        this.wire = wire;
        this.expecting = expecting;
        this.pingsAllowed = settings.pingsAllowed();
        this.timer = new CoalescedTimer(timer, settings.pingInterval(), this::check);
    }

    /** There is a waiter: the server is pinged from now on, until there is none. */
    void start() {
        timer.request();
    }

    /** The server sent data. */
    void received() {
        if (!received) {
            received = true;
        }
    }

    void stop() {
        timer.stop();
    }

    private void check() {
        Wire present = wire.get();
        int silent = received ? 0 : unanswered;
        HeartbeatAction action =
                HeartbeatAction.next(expecting.getAsBoolean(), present.isConnected(), silent, pingsAllowed);
        switch (action) {
            case REST, AWAIT_CONNECTION -> unanswered = 0;
            case PING -> {
                unanswered = silent + 1;
                received = false;
                present.ping();
            }
            case RECONNECT -> {
                log.warn("no answer to {} pings on the subscription connection, reconnecting", silent);
                unanswered = 0;
                present.disconnect();
            }
        }
        if (action != HeartbeatAction.REST) {
            timer.request();
        }
    }
}

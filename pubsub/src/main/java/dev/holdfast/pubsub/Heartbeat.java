package dev.holdfast.pubsub;

import io.netty.util.Timer;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects a connection that is dead without having been closed. A subscriber sends no data, so the operating system
 * would detect that after most of a minute or never. Therefore the server is pinged while there are waiters, and too
 * many pings without a reply end the connection. Any message counts as a reply.
 */
final class Heartbeat {
    private static final Logger log = LoggerFactory.getLogger(Heartbeat.class);

    private final Wire wire;
    private final BooleanSupplier expecting;
    private final int pingsAllowed;
    private final CoalescedTimer pulse;
    /**
     * Whether the server sent data since the last ping. Set by the I/O thread, cleared by the beat before it sends the
     * ping.
     */
    private volatile boolean heard;
    /**
     * Pings since the server last sent data. Written only by the beat; beats never overlap, since each one starts the
     * next.
     */
    private volatile int unanswered;

    Heartbeat(Timer timer, PubSubSettings settings, Wire wire, BooleanSupplier expecting) {
        this.wire = wire;
        this.expecting = expecting;
        this.pingsAllowed = settings.pingsAllowed();
        this.pulse = new CoalescedTimer(timer, settings.pingInterval(), this::beat);
    }

    /** There is a waiter: the server is pinged from now on, until there is none. */
    void start() {
        pulse.request();
    }

    /** The server sent data. */
    void heard() {
        if (!heard) {
            heard = true;
        }
    }

    void stop() {
        pulse.stop();
    }

    private void beat() {
        int silent = heard ? 0 : unanswered;
        HeartbeatAction beat = HeartbeatAction.next(expecting.getAsBoolean(), wire.isConnected(), silent, pingsAllowed);
        switch (beat) {
            case REST, AWAIT_CONNECTION -> unanswered = 0;
            case PING -> {
                unanswered = silent + 1;
                heard = false;
                wire.ping();
            }
            case RECONNECT -> {
                log.warn("no answer to {} pings on the subscription connection, reconnecting", silent);
                unanswered = 0;
                wire.disconnect();
            }
        }
        if (beat != HeartbeatAction.REST) {
            pulse.request();
        }
    }
}

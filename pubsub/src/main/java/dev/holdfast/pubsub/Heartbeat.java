package dev.holdfast.pubsub;

import io.netty.util.Timer;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices a connection that is dead without having been closed. A subscriber sends nothing, so the operating system would
 * notice after most of a minute or never; therefore, while anybody waits, the server is asked for a sign of life, and too
 * many pings without any answer end the connection. Any message counts as an answer.
 */
final class Heartbeat {
    private static final Logger log = LoggerFactory.getLogger(Heartbeat.class);

    private final Wire wire;
    private final BooleanSupplier expecting;
    private final int pingsAllowed;
    private final CoalescedTimer pulse;
    /** Written by the I/O thread (true) and by the beat (false), before it sends the ping. */
    private volatile boolean heard;
    /** Pings since anything was heard. Written by the beat only, and one beat starts the next. */
    private volatile int unanswered;

    Heartbeat(Timer timer, PubSubSettings settings, Wire wire, BooleanSupplier expecting) {
        this.wire = wire;
        this.expecting = expecting;
        this.pingsAllowed = settings.pingsAllowed();
        this.pulse = new CoalescedTimer(timer, settings.pingInterval(), this::beat);
    }

    /** Somebody waits: the heart beats from now until nobody does. */
    void start() {
        pulse.request();
    }

    /** Something came from the server. */
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

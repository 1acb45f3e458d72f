package dev.holdfast;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One of a client's connections to Redis was lost or re-established. */
public abstract class ConnectionEvent extends HoldfastEvent {
    private final ConnectionRole role;

    ConnectionEvent(String clientId, ConnectionRole role) {
        super(clientId);
        this.role = role;
    }

    /** {@return what the connection is for} */
    public ConnectionRole role() {
        return role;
    }

    @Override
    public boolean isAlarm() {
        return true;
    }

    /**
     * A connection was lost; the client is reconnecting. Published again, with the reason, when an attempt to reconnect has
     * failed for a reason that was not published before, such as an error that the server replied; for ten reasons at most. A
     * client that is {@linkplain HoldfastBuilder#connectInBackground connected in the background} counts as disconnected when
     * its first attempt has failed.
     */
    public static final class Disconnected extends ConnectionEvent {
        private final @Nullable Throwable cause;

        /** For tests of code that handles events. */
        public Disconnected(String clientId, ConnectionRole role, @Nullable Throwable cause) {
            super(clientId, role);
            this.cause = cause;
        }

        /**
         * {@return why the connection was lost, why this client closed it, or why it could not be made again; empty when that
         * is not known}
         */
        public Optional<Throwable> cause() {
            return Optional.ofNullable(cause);
        }

        @Override
        public void deliverTo(LockListener listener) {
            listener.disconnected(this);
        }

        @Override
        public String toString() {
            return "Disconnected[role=" + role() + ", cause=" + cause + "]";
        }
    }

    /** A connection that was lost was re-established. */
    public static final class Reconnected extends ConnectionEvent {
        private final Duration outage;

        /** For tests of code that handles events. */
        public Reconnected(String clientId, ConnectionRole role, Duration outage) {
            super(clientId, role);
            this.outage = outage;
        }

        /** {@return how long the connection was down, from when its loss was noticed} */
        public Duration outage() {
            return outage;
        }

        @Override
        public void deliverTo(LockListener listener) {
            listener.reconnected(this);
        }

        @Override
        public String toString() {
            return "Reconnected[role=" + role() + ", outage=" + outage + "]";
        }
    }
}

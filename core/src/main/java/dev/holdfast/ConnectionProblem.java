package dev.holdfast;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Why a client cannot use a Redis server that it needs, as of one moment. A value. */
public final class ConnectionProblem {
    private final String server;
    private final String reason;
    private final Instant since;

    /** For tests of code that reads it. */
    public ConnectionProblem(String server, String reason, Instant since) {
        this.server = Objects.requireNonNull(server, "server must not be null");
        this.reason = Objects.requireNonNull(reason, "reason must not be null");
        this.since = Objects.requireNonNull(since, "since must not be null");
    }

    /**
     * {@return the address of the server, such as {@code redis.example:6379}, without credentials} While no server is known,
     * these are the addresses that the client was configured with, or the name of the master that sentinels are asked for.
     */
    public String server() {
        return server;
    }

    /**
     * {@return the latest reason, for people to read} If attempts to connect fail, that is why the last one did, such as the
     * error that the server replied; before that, why the connection was lost.
     */
    public String reason() {
        return reason;
    }

    /** {@return when it began, by the clock of this machine} The reason may have changed since. */
    public Instant since() {
        return since;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ConnectionProblem that
                && server.equals(that.server)
                && reason.equals(that.reason)
                && since.equals(that.since);
    }

    @Override
    public int hashCode() {
        return Objects.hash(server, reason, since);
    }

    @Override
    public String toString() {
        return "ConnectionProblem[server=" + server + ", reason=" + reason + ", since=" + since + "]";
    }
}

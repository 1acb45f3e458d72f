package dev.holdfast.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.protocol.CommandType;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The earlier connections of a link, whose commands must not run late. A server that was stopped may have them in its
 * buffers, and run them after those of the present connection. So the first command of each connection kills the earlier
 * ones, by the id and address under which the server knew them; all that follows then runs after all that will ever run of
 * those.
 *
 * <p>A connection is used only once its own name is known, so that it can be killed in turn. A name is forgotten when the
 * server has answered its kill, not when that was sent. It needs Redis 6.2, the rights to {@code CLIENT INFO} and
 * {@code CLIENT KILL}, and a name that is no stranger's, which no connection over a Unix domain socket has. Without any of these
 * nothing is killed: a late command can still arrive, and then only the scripts' own rule protects the lock (see
 * {@code docs/guarantees.md}).
 */
final class StaleConnections {
    private static final Logger log = LoggerFactory.getLogger(StaleConnections.class);

    /** Those whose kill has not been answered yet. */
    private final Set<ServerClientId> alive = ConcurrentHashMap.newKeySet();

    /** Why a kill was not executed on the present connection, if one was not; used on the I/O thread. */
    private @Nullable Throwable pending;

    /** The name of the present connection, if it has one that is its own; written on the I/O thread. */
    private volatile @Nullable ServerClientId present;

    /**
     * Kills the earlier connections, and asks for the name of this one.
     *
     * @param named called on the I/O thread when the connection can be used: its name is known, or cannot be
     * @param notYet called on the I/O thread instead if the server does not execute commands: this is to be called again
     */
    void kill(Epoch epoch, long nowNanos, Runnable named, Consumer<Throwable> notYet) {
        ServerClientId before = present;
        present = null;
        if (before != null) {
            alive.add(before);
        }
        for (ServerClientId earlier : alive) {
            epoch.send(earlier.kill(kill -> killed(earlier, kill)), nowNanos);
        }
        byte[] info = "INFO".getBytes(US_ASCII);
        epoch.send(
                Call.of(
                        CommandType.CLIENT,
                        answer -> {
                            Throwable why = answer.outcome() == Call.Outcome.NOT_EXECUTED ? answer.cause() : pending;
                            pending = null;
                            if (why != null) {
                                notYet.accept(why);
                            } else if (learnt(answer)) {
                                named.run();
                            }
                        },
                        info),
                nowNanos);
    }

    private void killed(ServerClientId earlier, Call kill) {
        switch (kill.outcome()) {
            case ANSWERED -> alive.remove(earlier);
            case REFUSED -> {
                alive.remove(earlier);
                log.info(
                        "The last connection could not be killed; commands of it may still run late. Grant"
                                + " +client|kill to exclude that: {}",
                        kill.error());
            }
            case NOT_EXECUTED -> pending = kill.cause();
            case UNKNOWN, NOT_SENT -> log.debug("{} is still to be killed", earlier);
        }
    }

    /** False when the connection ended before the answer. */
    private boolean learnt(Call info) {
        return switch (info.outcome()) {
            case ANSWERED -> {
                ServerClientId name = ServerClientId.parse(info.elements().toString());
                present = name != null && name.isUnique() ? name : null;
                yield true;
            }
            case REFUSED -> {
                log.debug("Redis does not tell the connection's name, so it cannot be killed: {}", info.error());
                yield true;
            }
            case UNKNOWN, NOT_SENT, NOT_EXECUTED -> false;
        };
    }
}

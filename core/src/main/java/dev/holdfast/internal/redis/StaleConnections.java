package dev.holdfast.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.protocol.CommandType;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The earlier connections of a link, whose commands must not be executed late. A server that was paused may have them
 * in its buffers, and execute them after those of the current connection. So the first commands of each connection kill
 * the earlier ones, by the id and address that the server had for them. All later commands are then executed after the
 * last command of those connections that will ever be executed.
 *
 * <p>A connection is used only once its own id is known, so that it can be killed in turn. An id is removed when the
 * server has answered its kill, not when that was sent. Killing needs Redis 6.2, the permissions for
 * {@code CLIENT INFO} and {@code CLIENT KILL}, and a unique id and address, which a connection over a Unix domain
 * socket does not have. If one of these is missing, nothing is killed: a late command can still arrive, and then only
 * the scripts' own rule protects the lock (see {@code docs/guarantees.md}).
 *
 * <p>Before a server there may be a proxy that lends its connections to one client after the other. They are
 * recognised by their ids: one connection shows two of them, or two connections show the same. Nothing is killed from then
 * on, since an id may be that of another client. So the id is queried twice, one query after the reply to the other, before
 * the connection accepts other calls: one that ends before has none that could be executed late.
 *
 * @see "LateBytesTest, LentConnectionsTest, UnixSocketTest"
 */
final class StaleConnections {
    private static final Logger log = LoggerFactory.getLogger(StaleConnections.class);

    /** The earlier connections whose kill has not been answered yet. */
    private final Set<ServerClientId> alive = ConcurrentHashMap.newKeySet();

    /** Why the current connection could not have a kill executed; null if none failed so. Used on the I/O thread. */
    private @Nullable Throwable pending;

    /** The id of the current connection, if it was shown twice and is unique; written on the I/O thread. */
    private volatile @Nullable ServerClientId present;

    /** The id of the connection before this one; used on the I/O thread. */
    private @Nullable ServerClientId last;

    /** Whether the connections are lent to this client; written on the I/O thread. */
    private volatile boolean lent;

    /** What the server says of the connection beside the link. */
    private volatile Supplier<@Nullable String> beside = () -> null;

    /** As {@link RedisLink#isBeside}. */
    void areBeside(Supplier<@Nullable String> clientInfo) {
        beside = clientInfo;
    }

    /**
     * Kills the earlier connections, and queries the id of this one, twice.
     *
     * @param to sends a command on this connection, before all others
     * @param named called on the I/O thread when the connection can be used: its id is known, or cannot be known
     * @param notYet called on the I/O thread instead if the server does not execute commands; this must be called again
     * then
     */
    void kill(Consumer<Call> to, Runnable named, Consumer<Throwable> notYet) {
        ServerClientId before = present;
        if (before != null) {
            alive.add(before);
            last = before;
        }
        present = null;
        if (lent || alive.stream().anyMatch(this::isBeside)) {
            areLent();
        }
        for (ServerClientId earlier : alive) {
            to.accept(kill(earlier));
        }
        to.accept(Call.of(
                CommandType.CLIENT,
                answer -> {
                    Throwable why = answer.outcome() == Call.Outcome.NOT_EXECUTED ? answer.cause() : pending;
                    pending = null;
                    if (why != null) {
                        notYet.accept(why);
                    } else {
                        identified(answer, to, named, notYet);
                    }
                },
                ascii("INFO")));
    }

    /** {@return the command after which the server executes no more commands of this connection} */
    private Call kill(ServerClientId earlier) {
        return Call.of(
                CommandType.CLIENT,
                kill -> killed(earlier, kill),
                ascii("KILL"),
                ascii("ID"),
                ascii(earlier.id()),
                ascii("ADDR"),
                ascii(earlier.address()));
    }

    private static byte[] ascii(String word) {
        return word.getBytes(US_ASCII);
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

    private void areLent() {
        if (!lent) {
            lent = true;
            log.info(
                    "A proxy lends its connections to Redis, so none that was lost is killed; commands of it may still run"
                            + " late.");
        }
        alive.clear();
        present = null;
    }

    /** {@return whether this is the id of the connection beside the link} */
    private boolean isBeside(ServerClientId id) {
        String other = beside.get();
        return other != null && id.equals(ServerClientId.parse(other));
    }

    /** Queries the id once more. Until the reply no other call is accepted, which could then be executed late. */
    private void confirm(ServerClientId first, Consumer<Call> to, Runnable named, Consumer<Throwable> notYet) {
        to.accept(Call.of(
                CommandType.CLIENT,
                answer -> {
                    Throwable why = answer.cause();
                    switch (answer.outcome()) {
                        case ANSWERED -> {
                            compare(
                                    first,
                                    ServerClientId.parse(answer.elements().toString()));
                            named.run();
                        }
                        case REFUSED -> named.run();
                        case NOT_EXECUTED -> notYet.accept(Objects.requireNonNull(why));
                        case UNKNOWN, NOT_SENT -> log.debug("A connection ended before its id was confirmed", why);
                    }
                },
                ascii("INFO")));
    }

    private void compare(ServerClientId first, @Nullable ServerClientId second) {
        if (!first.equals(second) || isBeside(first)) {
            areLent();
        } else {
            present = first;
        }
    }

    /** Reads the id of the connection. Nothing follows if the connection ended before the answer. */
    private void identified(Call info, Consumer<Call> to, Runnable named, Consumer<Throwable> notYet) {
        switch (info.outcome()) {
            case ANSWERED -> {
                ServerClientId name = ServerClientId.parse(info.elements().toString());
                if (name != null && name.equals(last)) {
                    areLent();
                }
                if (name != null && name.isUnique() && !lent) {
                    confirm(name, to, named, notYet);
                } else {
                    named.run();
                }
            }
            case REFUSED -> {
                log.debug("Redis does not tell the connection's name, so it cannot be killed: {}", info.error());
                named.run();
            }
            case UNKNOWN, NOT_SENT, NOT_EXECUTED ->
                log.debug("A connection ended before its id was known", info.cause());
        }
    }
}

package dev.holdfast.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.protocol.CommandType;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a server reveals of itself on a new connection: its role, by HELLO, which needs no right; and its process, by
 * INFO, which may be refused.
 *
 * @param isReplica false if the server does not say so
 * @param runId differs between any two processes; null if it is not known
 * @param uptime of that process, in whole seconds
 * @param address to which the connection was made
 */
public record ServerIdentity(boolean isReplica, @Nullable String runId, Duration uptime, SocketAddress address) {
    private static final Pattern RUN_ID = Pattern.compile("\\brun_id:(\\w+)");
    private static final Pattern UPTIME = Pattern.compile("\\buptime_in_seconds:(\\d{1,10})\\b");

    /** Uptimes are whole seconds. */
    private static final Duration INEXACT = Duration.ofSeconds(1);

    /** How the server of a connection relates to that of the connection before. */
    public enum Relation {
        /** It has all that the former one has acknowledged. */
        SAME,
        /** It is the former one, restarted at the same address: it may lack what was acknowledged. */
        RESTARTED,
        /** It may be another one, which lacks what the former one has acknowledged. */
        OTHER
    }

    /**
     * Queries the server.
     *
     * @param address to which the connection was made
     * @param to sends a call on this connection
     * @return completes on the I/O thread; fails if the server does not execute commands at present, or the connection ends
     */
    public static CompletionStage<ServerIdentity> ask(SocketAddress address, Consumer<Call> to) {
        CompletableFuture<Boolean> replica = new CompletableFuture<>();
        CompletableFuture<String> process = new CompletableFuture<>();
        to.accept(Call.of(CommandType.HELLO, reply -> settle(replica, reply, isReplica(reply))));
        to.accept(Call.of(CommandType.INFO, reply -> settle(process, reply, text(reply)), "server".getBytes(US_ASCII)));
        return replica.thenCombine(
                process, (isReplica, info) -> new ServerIdentity(isReplica, find(RUN_ID, info), uptime(info), address));
    }

    private static <T> void settle(CompletableFuture<T> result, Call reply, T known) {
        Throwable why = reply.cause();
        if (why == null) {
            result.complete(known);
        } else {
            result.completeExceptionally(why);
        }
    }

    private static boolean isReplica(Call hello) {
        if (hello.outcome() != Call.Outcome.ANSWERED) {
            return false;
        }
        List<Object> server = hello.elements();
        int role = server.indexOf("role") + 1;
        return role > 0 && role < server.size() && server.get(role).equals("replica");
    }

    private static String text(Call info) {
        return info.outcome() == Call.Outcome.ANSWERED ? info.elements().toString() : "";
    }

    private static Duration uptime(String info) {
        String seconds = find(UPTIME, info);
        return Duration.ofSeconds(seconds == null ? Long.MAX_VALUE : Long.parseLong(seconds));
    }

    private static @Nullable String find(Pattern pattern, String info) {
        Matcher found = pattern.matcher(info);
        return found.find() ? found.group(1) : null;
    }

    /**
     * {@return how this server relates to that of the connection before}
     *
     * @param away how long ago that connection ended
     */
    public Relation to(ServerIdentity former, Duration away) {
        if (runId == null || former.runId == null) {
            return Relation.OTHER;
        }
        if (runId.equals(former.runId)) {
            return Relation.SAME;
        }
        boolean began = uptime.compareTo(away.plus(INEXACT)) <= 0;
        return began && address.equals(former.address) ? Relation.RESTARTED : Relation.OTHER;
    }
}

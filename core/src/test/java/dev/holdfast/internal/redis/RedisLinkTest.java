package dev.holdfast.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Patience;
import dev.holdfast.internal.kind.PlainKind;
import dev.holdfast.internal.redis.Call.Outcome;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The sequence of epochs of a connection, and the guarantees from one to the next. */
@Tag("driver")
final class RedisLinkTest {

    private final Script inspect = Script.load(PlainKind.class, "inspect.lua");
    private final TestLink redis = new TestLink(inspect);
    private final RedisLink link = redis.link();

    @AfterEach
    void close() {
        redis.close();
    }

    private static Call command(CommandType type, Call.Callback caller, String... arguments) {
        byte[][] bytes = new byte[arguments.length][];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = arguments[i].getBytes(US_ASCII);
        }
        return Call.of(type, caller, bytes);
    }

    private static Call push(String value) {
        return command(CommandType.RPUSH, call -> {}, "sent", value);
    }

    private static Throwable why() {
        return new IllegalStateException("on purpose");
    }

    /** The commands that open an epoch precede all others in it. */
    @Test
    void opening_comesFirst() {
        redis.opening = first -> {
            link.send(push("too early"));
            first.accept(push("first"));
            first.accept(push("second"));
        };
        redis.up = () -> link.send(push("third"));
        redis.start();
        Call range = redis.completed(caller -> command(CommandType.LRANGE, caller, "sent", "0", "-1"));
        assertThat(range.elements()).isEqualTo(List.of("first", "second", "third"));
    }

    /** While an epoch opens, it accepts no calls but the opening ones. */
    @Test
    void opening_isNotUp() {
        List<Object> seen = new ArrayList<>();
        CompletableFuture<Call> first = new CompletableFuture<>();
        redis.opening = sender -> {
            seen.add(link.isUp());
            seen.add(link.epochNumber());
            link.send(command(CommandType.PING, ping -> seen.add(ping.outcome())));
            sender.accept(command(CommandType.PING, first::complete));
        };
        redis.start();
        assertThat(seen).containsExactly(false, 0L, Outcome.NOT_SENT);
        assertThat(first.join().outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(first.join().epochNumber()).isEqualTo(link.epochNumber()).isPositive();
    }

    /** Opening commands that were not executed are sent again, and nothing else is sent before they were. */
    @Test
    void opening_notExecuted_isSentAgain() {
        redis.server().command("REPLICAOF", "127.0.0.1", "1");
        Queue<Outcome> first = new ConcurrentLinkedQueue<>();
        redis.opening =
                sender -> sender.accept(command(CommandType.RPUSH, push -> first.add(push.outcome()), "sent", "first"));
        redis.begin();
        Patience.await().until(() -> first.size() > 2);
        Call early = redis.completed(caller -> command(CommandType.RPUSH, caller, "sent", "early"));

        redis.server().command("REPLICAOF", "NO", "ONE");

        Patience.await().until(link::isUp);
        assertThat(first).containsOnlyOnce(Outcome.ANSWERED).contains(Outcome.NOT_EXECUTED);
        assertThat(early.outcome()).isEqualTo(Outcome.NOT_SENT);
        assertThat(early.cause()).isInstanceOf(NotExecutedException.class);
        assertThat(redis.server().command("LRANGE", "sent", "0", "-1")).isEqualTo(List.of("first"));
    }

    /** Whoever awaits a link that is closed before it is up learns that it never will be. */
    @Test
    void close_beforeItIsUp_endsTheStart() {
        redis.server().command("REPLICAOF", "127.0.0.1", "1");
        CompletableFuture<Call> first = new CompletableFuture<>();
        redis.opening = sender -> sender.accept(command(CommandType.RPUSH, first::complete, "sent", "first"));
        redis.begin();
        Patience.await().until(first::isDone);
        assertThat(redis.started()).isNotDone();

        link.closeAsync().toCompletableFuture().join();

        assertThat(redis.started()).isCompletedExceptionally();
    }

    /** An exception of the code that sends the opening commands does not keep the epoch from opening. */
    @Test
    void opening_throws() {
        redis.opening = first -> {
            throw new IllegalStateException("on purpose");
        };
        assertThat(redis.start()
                        .completed(caller -> command(CommandType.PING, caller))
                        .outcome())
                .isEqualTo(Outcome.ANSWERED);
    }

    /** A call has the number of the epoch it was sent in, and a later epoch has a greater number. */
    @Test
    void epochNumber_grows() {
        Call unsent = redis.completed(caller -> command(CommandType.PING, caller));
        assertThat(unsent.epochNumber()).isZero();
        redis.start();
        Call before = redis.completed(caller -> command(CommandType.PING, caller));
        long epoch = link.epochNumber();
        assertThat(before.epochNumber()).isEqualTo(epoch);

        link.restart(epoch, why());
        Patience.await().until(link::isUp);
        Call after = redis.completed(caller -> command(CommandType.PING, caller));
        assertThat(after.epochNumber()).isEqualTo(link.epochNumber()).isGreaterThan(epoch);
    }

    /** A restart ends the epoch it names, its calls fail with the reason, and another connection is made. */
    @Test
    void restart_endsTheEpoch() {
        redis.start();
        String connection = name();
        CompletableFuture<Call> inFlight = new CompletableFuture<>();
        link.send(command(CommandType.BLPOP, inFlight::complete, "nothing", "0"));
        Throwable why = why();

        link.restart(link.epochNumber(), why);
        assertThat(inFlight).isDone();
        assertThat(inFlight.join().outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(inFlight.join().cause()).isSameAs(why);
        Patience.await().until(link::isUp);
        assertThat(name()).isNotEqualTo(connection);
    }

    /** A restart of an epoch that has ended leaves the present one alone. */
    @Test
    void restart_ofAnotherEpoch() {
        redis.start();
        String connection = name();
        link.restart(link.epochNumber() - 1, why());
        link.restart(link.epochNumber() + 1, why());
        assertThat(link.isUp()).isTrue();
        assertThat(name()).isEqualTo(connection);
    }

    private String name() {
        Call id = redis.completed(caller -> command(CommandType.CLIENT, caller, "ID"));
        return id.elements().toString();
    }

    /** No epoch opens before the calls of the last one have been completed, whichever thread completes them. */
    @Test
    void opening_afterAllIsSettled() {
        redis.start();
        Queue<String> events = new ConcurrentLinkedQueue<>();
        CountDownLatch settling = new CountDownLatch(1);
        CountDownLatch resume = new CountDownLatch(1);
        link.send(command(
                CommandType.BLPOP,
                call -> {
                    settling.countDown();
                    Patience.await().until(() -> resume.getCount() == 0);
                    events.add("settled");
                },
                "nothing",
                "0"));
        redis.opening = first -> events.add("opening");
        long epoch = link.epochNumber();
        var other = Executors.newSingleThreadExecutor();
        var restarted = CompletableFuture.runAsync(() -> link.restart(epoch, why()), other);

        Patience.await().until(() -> settling.getCount() == 0);
        redis.server().command("CLIENT", "KILL", "TYPE", "normal");
        long pings = pings();
        Patience.await().until(() -> pings() > pings + 1);
        assertThat(link.isUp()).isFalse();
        resume.countDown();
        Patience.await().until(link::isUp);
        assertThat(events).startsWith("settled", "opening");
        restarted.join();
        other.shutdown();
    }

    private long pings() {
        String stats = String.valueOf(redis.server().command("INFO", "commandstats"));
        int at = stats.indexOf("cmdstat_ping:calls=");
        return at < 0 ? 0 : Long.parseLong(stats.substring(at + 19, stats.indexOf(',', at)));
    }

    /** A script that the server has forgotten is sent again in full; a call that must keep its place fails instead. */
    @Test
    void callInOrder_isNotSentAgain() {
        redis.start();
        ArgumentWriter key = frame -> frame.word("nothing".getBytes(US_ASCII));
        redis.completed(caller -> command(CommandType.SCRIPT, caller, "FLUSH"));
        Call inOrder = redis.completed(caller -> inspect.callInOrder(1, 0, key, caller));
        assertThat(inOrder.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(inOrder.error()).startsWith("NOSCRIPT");

        Call again = redis.completed(caller -> inspect.call(1, 0, key, caller));
        assertThat(again.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(redis.completed(caller -> inspect.callInOrder(1, 0, key, caller))
                        .outcome())
                .isEqualTo(Outcome.ANSWERED);
    }
}

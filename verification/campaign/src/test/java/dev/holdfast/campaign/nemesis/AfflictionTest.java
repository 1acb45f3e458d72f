package dev.holdfast.campaign.nemesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.campaign.schedule.ClientPlan;
import dev.holdfast.campaign.schedule.FaultKind;
import dev.holdfast.campaign.schedule.FaultPlan;
import dev.holdfast.campaign.schedule.Rights;
import dev.holdfast.campaign.schedule.Schedule;
import dev.holdfast.testkit.Direction;
import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each fault has its effect, and none after its end. */
@Tag("slow")
class AfflictionTest {
    private static final String LOCK = "orders:42";
    private static final String OTHER = "stock";
    /** How long a reply is awaited that must not come. */
    private static final int SHORT_READ_MILLIS = 200;
    /** How long a reply is awaited that must come. */
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    /** The delay of a request that is to be in flight when its connection ends. */
    private static final Duration UNDER_WAY = Duration.ofSeconds(3);

    private final RedisServer server = RedisServer.builder().persistent().start();
    private final FaultProxy link = FaultProxy.inFrontOf(server);
    private final List<String> victim = new ArrayList<>();
    private final Site site =
            new Site(new SingleServer(server), List.of(link), List.of(new RecordingVictim()), List.of(LOCK, OTHER));

    @AfterEach
    void close() {
        link.close();
        server.close();
    }

    /** A killed server is restarted with its data or without, as the fault requires. */
    @ParameterizedTest
    @EnumSource(names = {"SERVER_KILLED", "SERVER_EMPTIED"})
    void server_killed(FaultKind kind) {
        server.command("SET", "key", "value");
        Affliction affliction = affliction(kind);

        affliction.begin().run();
        assertThat(server.isRunning()).isFalse();
        affliction.end().run();

        assertThat(server.keys()).hasSize(kind == FaultKind.SERVER_EMPTIED ? 0 : 1);
    }

    /** Only the key of the lock that is hit is deleted. */
    @Test
    void keyDeleted_onlyThat() {
        server.command("SET", LOCK, "value");
        server.command("SET", "other", "value");

        carryOut(FaultKind.KEY_DELETED);

        assertThat(server.keys()).containsExactly("other");
    }

    /** The server has forgotten every script. */
    @Test
    void scriptsFlushed_allForgotten() {
        String sha = String.valueOf(server.command("SCRIPT", "LOAD", "return 1"));
        assertThat(server.command("SCRIPT", "EXISTS", sha)).isEqualTo(List.of(1L));

        carryOut(FaultKind.SCRIPTS_FLUSHED);

        assertThat(server.command("SCRIPT", "EXISTS", sha)).isEqualTo(List.of(0L));
    }

    /** A client is stopped and resumed, or killed and replaced. */
    @Test
    void client_isHit() {
        carryOut(FaultKind.CLIENT_PAUSED);
        carryOut(FaultKind.CLIENT_KILLED);
        carryOut(FaultKind.CLIENT_CLOSED);

        assertThat(victim).containsExactly("freeze", "thaw", "kill", "replace", "close", "reopen");
    }

    /** During a fault of the server or the link, a connection from before has no reply or has ended. */
    @ParameterizedTest
    @EnumSource(
            names = {
                "SERVER_PAUSED",
                "SERVER_KILLED",
                "CUT_FIN",
                "CUT_RST",
                "CONNECTIONS_REFUSED",
                "BLACK_HOLE",
                "REQUESTS_LOST",
                "REPLIES_LOST",
                "REPLIES_SWALLOWED",
                "LATE_BYTES"
            })
    void connection_isOfNoUse(FaultKind kind) throws IOException {
        try (Socket client = connected()) {
            assertThat(reply(client, "PING")).isEqualTo("+PONG\r\n");

            affliction(kind).begin().run();

            client.setSoTimeout(SHORT_READ_MILLIS);
            assertThatThrownBy(() -> reply(client, "PING")).isInstanceOf(IOException.class);
        }
    }

    /** The script is executed, and its connection ends in place of the reply. */
    @Test
    void repliesCut_scriptHasActed() throws IOException {
        String sha = String.valueOf(server.command("SCRIPT", "LOAD", "return redis.call('INCR', 'n')"));
        try (Socket client = connected()) {
            affliction(FaultKind.REPLIES_CUT).begin().run();

            assertThatThrownBy(() -> reply(client, "EVALSHA " + sha + " 0")).isInstanceOf(IOException.class);
        }
        assertThat(server.command("GET", "n")).isEqualTo("1");
    }

    /** A subscribed connection receives nothing, and others have replies. */
    @Test
    void blackHoleSubscriptions_onlySubscriptions() throws IOException {
        try (Socket subscriber = connected();
                Socket caller = connected()) {
            reply(subscriber, "SUBSCRIBE news");
            assertThat(reply(caller, "PING")).isEqualTo("+PONG\r\n");

            affliction(FaultKind.BLACK_HOLE_SUBSCRIPTIONS).begin().run();
            server.command("PUBLISH", "news", "0");

            subscriber.setSoTimeout(SHORT_READ_MILLIS);
            assertThatThrownBy(() -> read(subscriber)).isInstanceOf(SocketTimeoutException.class);
            assertThat(reply(caller, "PING")).isEqualTo("+PONG\r\n");
        }
    }

    /** A subscriber receives no grant and no signal, but the other messages of the lock. */
    @Test
    void grantsLost_noOtherMessages() throws IOException {
        String released = "redisson_lock__channel:{" + LOCK + "}";
        String granted = released + ":" + UUID.randomUUID();
        try (Socket subscriber = connected()) {
            reply(subscriber, "SUBSCRIBE " + granted);
            reply(subscriber, "SUBSCRIBE " + granted + ":signals");
            reply(subscriber, "SUBSCRIBE " + released);
            reply(subscriber, "SUBSCRIBE " + released + ":line");

            affliction(FaultKind.GRANTS_LOST).begin().run();
            assertThat(server.command("PUBLISH", granted, "lost")).isEqualTo(1L);
            assertThat(server.command("PUBLISH", granted + ":signals", "lost")).isEqualTo(1L);
            server.command("PUBLISH", released, "0");
            assertThat(read(subscriber)).contains(released + "\r\n").doesNotContain("lost");
            server.command("PUBLISH", released + ":line", "2");
            assertThat(read(subscriber)).contains(":line\r\n");
        }
    }

    /** A subscribed connection is cut and new ones are refused, and existing others have replies. */
    @Test
    void unsubscribed_onlySubscriptions() throws IOException {
        try (Socket subscriber = connected();
                Socket caller = connected()) {
            reply(subscriber, "SUBSCRIBE news");
            assertThat(reply(caller, "PING")).isEqualTo("+PONG\r\n");
            Affliction affliction = affliction(FaultKind.UNSUBSCRIBED);

            affliction.begin().run();

            assertThatThrownBy(() -> reply(subscriber, "PING")).isInstanceOf(IOException.class);
            assertThatThrownBy(this::connected).isInstanceOf(IOException.class);
            assertThat(reply(caller, "PING")).isEqualTo("+PONG\r\n");

            affliction.end().run();
            try (Socket again = connected()) {
                assertThat(reply(again, "PING")).isEqualTo("+PONG\r\n");
            }
        }
    }

    /**
     * A user loses the right to one lock, but not to the others and the keys that belong to them; at the end it has the
     * right again.
     */
    @Test
    void keyForbidden_onlyThat() throws IOException {
        String user = ClientPlan.user(0);
        server.command(Rights.OWN.user(user));
        Affliction affliction = affliction(FaultKind.KEY_FORBIDDEN);
        try (Socket client = connected()) {
            assertThat(reply(client, "AUTH " + user + " " + user)).isEqualTo("+OK\r\n");

            affliction.begin().run();

            assertThat(reply(client, "SET " + LOCK + " 1")).startsWith("-NOPERM");
            assertThat(reply(client, "SET " + OTHER + " 1")).isEqualTo("+OK\r\n");
            assertThat(reply(client, "SET tokens:{" + OTHER + "} 1")).isEqualTo("+OK\r\n");

            affliction.end().run();
            assertThat(reply(client, "SET " + LOCK + " 1")).isEqualTo("+OK\r\n");
        }
    }

    /** A reply takes at least the delay in both directions. */
    @Test
    void delay_bothWays() throws IOException {
        try (Socket client = connected()) {
            affliction(FaultKind.DELAY).begin().run();
            long began = System.nanoTime();

            assertThat(reply(client, "PING")).isEqualTo("+PONG\r\n");

            assertThat(since(began)).isGreaterThanOrEqualTo(Duration.ofMillis(30));
        }
    }

    /** A command is executed, or its reply arrives, long after its caller's timeout; the connection stays open. */
    @ParameterizedTest
    @EnumSource(names = {"REQUESTS_LATE", "REPLIES_LATE"})
    void late_afterEveryTimeout(FaultKind kind) throws IOException {
        try (Socket client = connected()) {
            affliction(kind).begin().run();
            if (kind == FaultKind.REPLIES_LATE) {
                await().atMost(TIMEOUT).until(this::isExecutedInTime);
            }

            long sent = System.nanoTime();
            client.getOutputStream().write(encoded("SET late value"));
            if (kind == FaultKind.REQUESTS_LATE) {
                await().atMost(TIMEOUT).until(() -> server.keys().contains("late"));
            } else {
                assertThat(read(client)).isEqualTo("+OK\r\n");
            }
            assertThat(since(sent)).isGreaterThanOrEqualTo(longestCommandTimeout());

            affliction(kind).end().run();
            if (kind == FaultKind.REQUESTS_LATE) {
                assertThat(read(client)).isEqualTo("+OK\r\n");
            }
            assertThat(reply(client, "PING")).isEqualTo("+PONG\r\n");
        }
    }

    /** {@return whether a command is executed before its timeout} On a busy machine one may not be, and the next one is. */
    private boolean isExecutedInTime() throws IOException {
        try (Socket client = connected()) {
            server.command("DEL", "time");
            long sent = System.nanoTime();
            client.getOutputStream().write(encoded("SET time 1"));
            await().atMost(TIMEOUT).until(() -> server.keys().contains("time"));
            return since(sent).compareTo(longestCommandTimeout()) < 0;
        }
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    private static Duration longestCommandTimeout() {
        return LongStream.range(0, 100)
                .mapToObj(Schedule::round)
                .map(round -> round.watchdogTimeout().dividedBy(3))
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** The requests in flight of a dead connection are executed when the fault ends, and not before. */
    @Test
    void lateBytes_executedAtTheEnd() throws IOException {
        try (Socket client = connected()) {
            assertThat(reply(client, "PING")).isEqualTo("+PONG\r\n");
            link.delay(Direction.REQUESTS, UNDER_WAY);
            client.getOutputStream().write(encoded("SET late value"));
            LateBytes bytes = LateBytes.of(link);
            bytes.gather();
            assertThat(server.keys()).isEmpty();

            bytes.deliver();

            await().atMost(TIMEOUT).until(() -> server.keys().contains("late"));
        }
    }

    /** No fault has an effect after its end: a new connection has replies. Every fault of one server can be injected. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.MATCH_NONE,
            names = {"MASTER_.*", "SLOT_.*", "REPLICAS_.*", "SENTINEL.*"})
    void end_nothingIsLeft(FaultKind kind) throws IOException {
        carryOut(kind);

        try (Socket client = connected()) {
            assertThat(reply(client, "PING")).isEqualTo("+PONG\r\n");
        }
    }

    private Affliction affliction(FaultKind kind) {
        return Affliction.of(new FaultPlan(1, kind, Duration.ZERO, false, Duration.ZERO, 0, 0), site);
    }

    private void carryOut(FaultKind kind) {
        Affliction affliction = affliction(kind);
        affliction.begin().run();
        affliction.end().run();
    }

    private Socket connected() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), link.port());
        socket.setSoTimeout((int) TIMEOUT.toMillis());
        return socket;
    }

    /** The end of the stream throws like a reset. */
    private static String reply(Socket socket, String command) throws IOException {
        socket.getOutputStream().write(encoded(command));
        return read(socket);
    }

    private static byte[] encoded(String command) {
        String[] words = command.split(" ", -1);
        StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            text.append("$").append(word.length()).append("\r\n").append(word).append("\r\n");
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static String read(Socket socket) throws IOException {
        byte[] buffer = new byte[256];
        InputStream in = socket.getInputStream();
        int count = in.read(buffer);
        if (count < 0) {
            throw new IOException("the stream has ended");
        }
        return new String(buffer, 0, count, StandardCharsets.US_ASCII);
    }

    private final class RecordingVictim implements Victim {
        @Override
        public void freeze() {
            victim.add("freeze");
        }

        @Override
        public void thaw() {
            victim.add("thaw");
        }

        @Override
        public void kill() {
            victim.add("kill");
        }

        @Override
        public void replace() {
            victim.add("replace");
        }

        @Override
        public void close() {
            victim.add("close");
        }

        @Override
        public void reopen() {
            victim.add("reopen");
        }
    }
}

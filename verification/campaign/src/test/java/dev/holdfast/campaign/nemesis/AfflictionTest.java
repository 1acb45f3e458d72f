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
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each fault does what it says, and then no more. */
class AfflictionTest {
    private static final String LOCK = "orders:42";
    private static final String OTHER = "stock";
    private static final int MOMENT_MILLIS = 200;
    /** So long does a command take to arrive that is to be on its way when its connection ends. */
    private static final Duration UNDER_WAY = Duration.ofSeconds(1);

    private final RedisServer server = RedisServer.builder().persistent().start();
    private final FaultProxy link = FaultProxy.inFrontOf(server);
    private final List<String> victim = new ArrayList<>();
    private final Site site = new Site(server, List.of(link), List.of(new RecordingVictim()), List.of(LOCK, OTHER));

    @AfterEach
    void close() {
        link.close();
        server.close();
    }

    /** A server that was killed has its data or not, as was said. */
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

    /** Only the lock that is hit is deleted. */
    @Test
    void keyDeleted_onlyThat() {
        server.command("SET", LOCK, "value");
        server.command("SET", "other", "value");

        carryOut(FaultKind.KEY_DELETED);

        assertThat(server.keys()).containsExactly("other");
    }

    /** The server knows no script any more. */
    @Test
    void scriptsFlushed_allForgotten() {
        String sha = String.valueOf(server.command("SCRIPT", "LOAD", "return 1"));
        assertThat(server.command("SCRIPT", "EXISTS", sha)).isEqualTo(List.of(1L));

        carryOut(FaultKind.SCRIPTS_FLUSHED);

        assertThat(server.command("SCRIPT", "EXISTS", sha)).isEqualTo(List.of(0L));
    }

    /** A client is stopped and goes on, or is killed and replaced. */
    @Test
    void client_isHit() {
        carryOut(FaultKind.CLIENT_PAUSED);
        carryOut(FaultKind.CLIENT_KILLED);

        assertThat(victim).containsExactly("freeze", "thaw", "kill", "replace");
    }

    /** Whatever is wrong with the server or the link, nothing is answered on a connection of before, or it has ended. */
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
            assertThat(asks(client, "PING")).isEqualTo("+PONG\r\n");

            affliction(kind).begin().run();

            assertThatThrownBy(() -> asks(client, "PING")).isInstanceOf(IOException.class);
        }
    }

    /** The script acts, and the connection ends instead of its answer. */
    @Test
    void repliesCut_scriptHasActed() throws IOException {
        String sha = String.valueOf(server.command("SCRIPT", "LOAD", "return redis.call('INCR', 'n')"));
        try (Socket client = connected()) {
            affliction(FaultKind.REPLIES_CUT).begin().run();

            assertThatThrownBy(() -> asks(client, "EVALSHA " + sha + " 0")).isInstanceOf(IOException.class);
        }
        assertThat(server.command("GET", "n")).isEqualTo("1");
    }

    /** Who has subscribed hears nothing, and others are answered. */
    @Test
    void deaf_onlySubscriptions() throws IOException {
        try (Socket subscriber = connected();
                Socket caller = connected()) {
            asks(subscriber, "SUBSCRIBE news");
            assertThat(asks(caller, "PING")).isEqualTo("+PONG\r\n");

            affliction(FaultKind.DEAF).begin().run();
            server.command("PUBLISH", "news", "0");

            assertThatThrownBy(() -> read(subscriber)).isInstanceOf(SocketTimeoutException.class);
            assertThat(asks(caller, "PING")).isEqualTo("+PONG\r\n");
        }
    }

    /** Who has subscribed is cut off and cannot come back, and others are answered. */
    @Test
    void unsubscribed_onlySubscriptions() throws IOException {
        try (Socket subscriber = connected();
                Socket caller = connected()) {
            asks(subscriber, "SUBSCRIBE news");
            assertThat(asks(caller, "PING")).isEqualTo("+PONG\r\n");
            Affliction affliction = affliction(FaultKind.UNSUBSCRIBED);

            affliction.begin().run();

            assertThatThrownBy(() -> asks(subscriber, "PING")).isInstanceOf(IOException.class);
            assertThatThrownBy(this::connected).isInstanceOf(IOException.class);
            assertThat(asks(caller, "PING")).isEqualTo("+PONG\r\n");

            affliction.end().run();
            try (Socket again = connected()) {
                assertThat(asks(again, "PING")).isEqualTo("+PONG\r\n");
            }
        }
    }

    /** A client's user may not touch one lock, but all others and what belongs to them; and in the end that one again. */
    @Test
    void keyForbidden_onlyThat() throws IOException {
        String user = ClientPlan.user(0);
        server.command(Rights.OWN.user(user));
        Affliction affliction = affliction(FaultKind.KEY_FORBIDDEN);
        try (Socket client = connected()) {
            assertThat(asks(client, "AUTH " + user + " " + user)).isEqualTo("+OK\r\n");

            affliction.begin().run();

            assertThat(asks(client, "SET " + LOCK + " 1")).startsWith("-NOPERM");
            assertThat(asks(client, "SET " + OTHER + " 1")).isEqualTo("+OK\r\n");
            assertThat(asks(client, "SET tokens:{" + OTHER + "} 1")).isEqualTo("+OK\r\n");

            affliction.end().run();
            assertThat(asks(client, "SET " + LOCK + " 1")).isEqualTo("+OK\r\n");
        }
    }

    /** An answer takes at least as long as the delay says, there and back. */
    @Test
    void delay_bothWays() throws IOException {
        try (Socket client = connected()) {
            affliction(FaultKind.DELAY).begin().run();
            long began = System.nanoTime();

            assertThat(asks(client, "PING")).isEqualTo("+PONG\r\n");

            assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(Duration.ofMillis(30));
        }
    }

    /** A command is acted upon, or answered, long after whoever asked has given up; the connection lives on. */
    @ParameterizedTest
    @EnumSource(names = {"REQUESTS_LATE", "REPLIES_LATE"})
    void late_afterEveryTimeout(FaultKind kind) throws IOException {
        try (Socket client = connected()) {
            affliction(kind).begin().run();
            client.getOutputStream().write(encoded("SET late value"));

            client.setSoTimeout((int) longestCommandTimeout().toMillis());
            assertThatThrownBy(() -> read(client)).isInstanceOf(SocketTimeoutException.class);
            assertThat(server.keys()).hasSize(kind == FaultKind.REPLIES_LATE ? 1 : 0);

            affliction(kind).end().run();
            client.setSoTimeout(MOMENT_MILLIS);
            assertThat(read(client)).isEqualTo("+OK\r\n");
        }
    }

    private static Duration longestCommandTimeout() {
        return LongStream.range(0, 100)
                .mapToObj(Schedule::round)
                .map(round -> round.watchdogTimeout().dividedBy(3))
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** What a dead connection had under way is executed when the fault ends, and not before. */
    @Test
    void lateBytes_executedAtTheEnd() throws IOException {
        try (Socket client = connected()) {
            assertThat(asks(client, "PING")).isEqualTo("+PONG\r\n");
            link.delay(Direction.REQUESTS, UNDER_WAY);
            client.getOutputStream().write(encoded("SET late value"));
            LateBytes bytes = LateBytes.of(link);
            bytes.gather();
            assertThat(server.keys()).isEmpty();

            bytes.deliver();

            await().until(() -> server.keys().contains("late"));
        }
    }

    /** After its end, nothing is left of any fault: a new connection is answered, and every fault can be carried out. */
    @ParameterizedTest
    @EnumSource
    void end_nothingIsLeft(FaultKind kind) throws IOException {
        carryOut(kind);

        try (Socket client = connected()) {
            assertThat(asks(client, "PING")).isEqualTo("+PONG\r\n");
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
        socket.setSoTimeout(MOMENT_MILLIS);
        return socket;
    }

    /** An end of the stream is an exception here like a reset. */
    private static String asks(Socket socket, String command) throws IOException {
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
    }
}

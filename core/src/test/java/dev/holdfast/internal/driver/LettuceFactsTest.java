package dev.holdfast.internal.driver;

import static dev.holdfast.internal.driver.BareDriver.patiently;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisHandshakeHandler;
import io.netty.channel.Channel;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The driver's behaviour that the command connection relies on, one fact in each test. The driver does not document it
 * and may change it; a driver that behaves differently fails here, in the test named after the fact.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the effects of closing the channel are tested
@Tag("driver")
class LettuceFactsTest {
    private static final byte[] KEY = "key".getBytes(US_ASCII);
    private static final Duration SHORT = Duration.ofMillis(500);

    private final BareDriver driver = new BareDriver();

    @AfterEach
    void close() {
        driver.close();
    }

    private static Command<byte[], byte[], Long> push() {
        return new Command<>(
                CommandType.RPUSH,
                new IntegerOutput<>(ByteArrayCodec.INSTANCE),
                new CommandArgs<>(ByteArrayCodec.INSTANCE).addKey(KEY).addValue(KEY));
    }

    private static <T> T reply(RedisFuture<T> command) {
        return command.toCompletableFuture().join();
    }

    /** A connection works without the synchronous commands, which it then has not got. */
    @Test
    void synchronousCommands_areDispensable() {
        StatefulRedisConnection<byte[], byte[]> connection = driver.connect();
        assertThat(connection.sync()).isNull();
        assertThat(reply(connection.async().ping())).isEqualTo("PONG");
    }

    /** Closes the connection on the client's side, and waits for the next. */
    private void reconnect() {
        int before = driver.channels().size();
        driver.events().clear();
        driver.channel().disconnect();
        driver.awaitReconnected(before);
    }

    /** Commands in flight fail before the loss of their connection is published. */
    @Test
    void loss_inFlightFailsFirst() {
        StatefulRedisConnection<byte[], byte[]> connection = driver.connect();
        connection.async().blpop(0, KEY).whenComplete((none, failure) -> driver.events()
                .add(failure == null ? "answered" : "failed"));
        patiently().until(() -> driver.server().info("blocked_clients").equals("1"));

        driver.proxy().cutRst();

        patiently().until(() -> driver.events().size() >= 3);
        assertThat(driver.events()).startsWith("failed", "disconnected", "connected");
    }

    /** Each connection has a command handler of its own, so no reply can reach a command of another connection. */
    @Test
    void reconnect_hasItsOwnHandler() {
        driver.connect();
        CommandHandler before = driver.handler();
        Channel first = driver.channel();

        reconnect();

        assertThat(driver.channel()).isNotSameAs(first);
        assertThat(driver.handler()).isNotSameAs(before);
        assertThat(driver.handler().getEndpoint()).isSameAs(before.getEndpoint());
    }

    /** While there is no connection a command fails at once, and is not kept for the next one. */
    @Test
    void disconnected_rejectsCommands() {
        StatefulRedisConnection<byte[], byte[]> connection = driver.connect();
        driver.proxy().refuse();
        driver.channel().disconnect();
        patiently().until(() -> driver.events().contains("disconnected"));

        RedisFuture<Long> rejected = connection.async().rpush(KEY, KEY);

        assertThat(rejected.toCompletableFuture()).isCompletedExceptionally();
        assertThatThrownBy(rejected.toCompletableFuture()::join).hasRootCauseInstanceOf(RedisException.class);
        driver.proxy().accept();
        patiently().until(() -> driver.events().contains("connected"));
        assertThat(reply(connection.async().exists(KEY))).isZero();
    }

    /** A command that reports that it is done is not written any more. */
    @Test
    void done_isNotWritten() {
        StatefulRedisConnection<byte[], byte[]> connection = driver.connect();
        Command<byte[], byte[], Long> done = push();
        done.cancel();

        driver.channel().writeAndFlush(done).awaitUninterruptibly();

        assertThat(reply(connection.async().exists(KEY))).isZero();
    }

    /** A command that is written to the channel of an earlier connection fails, and is not kept for the next one. */
    @Test
    void write_afterTheEnd_isNotKept() {
        StatefulRedisConnection<byte[], byte[]> connection = driver.connect();
        Channel before = driver.channel();
        reconnect();

        assertThat(before.writeAndFlush(push()).awaitUninterruptibly().isSuccess())
                .isFalse();

        assertThat(reply(connection.async().exists(KEY))).isZero();
    }

    /** A command that is in flight when its connection ends is not written on the next one. */
    @Test
    void inFlight_isNotWrittenAgain() {
        StatefulRedisConnection<byte[], byte[]> connection = driver.connect();
        driver.proxy().cutInsteadOfReplyTo("RPUSH");
        RedisFuture<Long> pushed = connection.async().rpush(KEY, KEY);
        patiently().until(() -> driver.events().contains("connected"));

        assertThat(pushed.toCompletableFuture()).isCompletedExceptionally();
        assertThat(reply(connection.async().llen(KEY))).isEqualTo(1);
    }

    /** A new connection is published on its own event loop, and a command that is sent there and then is answered. */
    @Test
    void connected_isCalledOnTheEventLoop() {
        StatefulRedisConnection<byte[], byte[]> connection = driver.connect();
        CompletableFuture<byte[]> echoed = new CompletableFuture<>();
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress address) {
                connection.async().echo(KEY).thenAccept(echoed::complete);
            }
        });

        reconnect();

        assertThat(driver.events()).containsExactly("disconnected", "connected");
        assertThat(echoed).succeedsWithin(BareDriver.TIMEOUT).isEqualTo(KEY);
    }

    /** A customizer sees each channel with its handlers, before it is connected. */
    @Test
    void customizer_seesEachChannel() {
        driver.connect();
        reconnect();

        assertThat(driver.channels()).hasSize(2).doesNotHaveDuplicates();
        assertThat(driver.channels().get(1).isActive()).isTrue();
        assertThat(driver.handler()).isNotNull();
    }

    /** Disconnecting a channel makes the driver connect again. */
    @Test
    void disconnect_reconnects() {
        StatefulRedisConnection<byte[], byte[]> connection = driver.connect();
        reconnect();

        assertThatCode(() -> reply(connection.async().ping())).doesNotThrowAnyException();
    }

    /** The driver retries for as long as connections are refused. */
    @Test
    void refused_isTriedAgain() {
        driver.connect();
        driver.proxy().refuse();
        driver.channel().disconnect();
        patiently().until(() -> driver.channels().size() >= 6);

        driver.proxy().accept();

        patiently().until(() -> driver.events().contains("connected"));
    }

    /** A channel that is closed during its handshake is a failed attempt, and another one follows. */
    @Test
    void closedInTheHandshake_isTriedAgain() {
        driver.connect();
        driver.server().pause();
        driver.channel().disconnect();
        patiently()
                .until(() -> driver.channels().size() == 2 && driver.channel().isActive());
        RedisHandshakeHandler handshake = driver.channel().pipeline().get(RedisHandshakeHandler.class);
        assertThat(handshake.channelInitialized()).isNotDone();

        driver.channel().close();
        patiently().until(() -> driver.channels().size() == 3);
        driver.server().resume();

        patiently().until(() -> driver.events().contains("connected"));
    }

    /** The timeout of a handshake is that of the URI, whatever the options contain. */
    @Test
    void handshake_hasTheTimeoutOfTheUri() {
        driver.connect();
        driver.server().pause();

        assertThatThrownBy(
                        driver.connecting(SHORT).orTimeout(BareDriver.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)::join)
                .isInstanceOf(CompletionException.class)
                .hasStackTraceContaining("Connection initialization timed out after 500 millisecond(s)");
    }

    /** A refused connection leaves the timeout of its handshake in the timer. */
    @Test
    void refused_leavesItsTimeoutInTheTimer() {
        driver.proxy().refuse();

        assertThatThrownBy(driver.connecting(Duration.ofHours(1))::join).isInstanceOf(CompletionException.class);

        assertThat(driver.timer().pendingTimeouts()).isPositive();
    }

    /** A command has no timeout, not even that of the URI. */
    @Test
    void command_hasNoTimeout() {
        StatefulRedisConnection<byte[], byte[]> connection = driver.connect(Duration.ofSeconds(1));

        assertThat(connection.async().blpop(2, KEY).toCompletableFuture())
                .succeedsWithin(BareDriver.TIMEOUT)
                .isNull();
    }

    /** Without a command index, each reply is matched to its command. */
    @Test
    void answers_areMatchedToTheirCommands() {
        StatefulRedisConnection<byte[], byte[]> connection = driver.connect();
        List<RedisFuture<byte[]>> echoes = IntStream.range(0, 500)
                .mapToObj(i -> connection.async().echo(text(i)))
                .toList();

        for (int i = 0; i < echoes.size(); i++) {
            assertThat(echoes.get(i)
                            .toCompletableFuture()
                            .orTimeout(BareDriver.TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                            .join())
                    .isEqualTo(text(i));
        }
    }

    private static byte[] text(int i) {
        return Integer.toString(i).getBytes(US_ASCII);
    }

    /** Maintenance notifications are not requested. */
    @Test
    void maintenance_isNotRequested() {
        driver.proxy().swallowReplyTo("MAINT_NOTIFICATIONS");

        driver.connect();

        assertThat(driver.proxy().lostReplies()).isZero();
    }

    /** A driver that supports them requests them by default, so the test above can fail. */
    @Test
    void maintenance_isRequestedByDefault() {
        assumeTrue(supportsMaintenance(), "this version of the driver has no maintenance notifications");
        driver.setOptions(ClientOptions.create());
        driver.proxy().swallowReplyTo("MAINT_NOTIFICATIONS");

        driver.connecting(BareDriver.TIMEOUT);

        patiently().until(() -> driver.proxy().lostReplies() == 1);
    }

    private static boolean supportsMaintenance() {
        try {
            Class.forName("io.lettuce.core.MaintNotificationsConfig");
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}

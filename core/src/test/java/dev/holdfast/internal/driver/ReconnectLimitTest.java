package dev.holdfast.internal.driver;

import static dev.holdfast.internal.driver.BareDriver.TIMEOUT;
import static dev.holdfast.internal.driver.BareDriver.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Direction;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.RedisHandshakeHandler;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The time limit of an attempt to reconnect. */
@SuppressWarnings("FutureReturnValueIgnored") // the effects of closing the channel are tested
@Tag("driver")
class ReconnectLimitTest {
    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(300);

    private static ReconnectLimit limit(NettyCustomizer others) {
        return new ReconnectLimit(others, COMMAND_TIMEOUT, TIMEOUT.multipliedBy(2), (endpoint, why) -> {});
    }

    /**
     * Each attempt that timed out extends the limit of the next one by a command timeout, up to the connect timeout.
     */
    @ParameterizedTest
    @CsvSource({"3,10,0,3", "3,10,1,6", "3,10,2,9", "3,10,3,10", "3,10,2147483647,10", "3,1,0,1", "3,1,5,1", "3,3,0,3"})
    void limit_grows(long command, long connect, int givenUp, long seconds) {
        ReconnectLimit limit = new ReconnectLimit(
                new NettyCustomizer() {},
                Duration.ofSeconds(command),
                Duration.ofSeconds(connect),
                (endpoint, why) -> {});

        assertThat(Duration.ofNanos(limit.limitNanos(givenUp))).isEqualTo(Duration.ofSeconds(seconds));
    }

    /** An attempt that hangs is given up long before the connect timeout; the next one finds a server that is back. */
    @Test
    void blackHole_isTriedAgain() {
        try (BareDriver driver = new BareDriver(ReconnectLimitTest::limit)) {
            driver.connect(TIMEOUT.multipliedBy(2));
            driver.server().pause();
            driver.channel().disconnect();

            patiently().until(() -> driver.channels().size() >= 4);
            driver.server().resume();

            patiently().until(() -> driver.events().contains("connected"));
        }
    }

    /** A server whose handshake takes several command timeouts is still connected to. */
    @Test
    void slowHandshake_succeeds() {
        try (BareDriver driver = new BareDriver(ReconnectLimitTest::limit)) {
            driver.connect(TIMEOUT.multipliedBy(2));
            driver.proxy().delay(COMMAND_TIMEOUT);

            driver.channel().disconnect();

            patiently().until(() -> driver.events().contains("connected"));
            assertThat(driver.channels()).hasSizeGreaterThan(2);
        }
    }

    /**
     * An attempt that is ended between two replies of the handshake is followed by one other: the driver takes the errors of its last
     * commands, which it ignores, for a success.
     */
    @Test
    void handshakeInPart_isTriedAgainOnce() {
        try (BareDriver driver = new BareDriver(ReconnectLimitTest::limit)) {
            driver.connect(TIMEOUT.multipliedBy(2));
            driver.proxy()
                    .delay(Direction.REPLIES, COMMAND_TIMEOUT.multipliedBy(3).dividedBy(2));

            driver.channel().disconnect();

            patiently().until(() -> driver.channels().size() >= 4);
            driver.proxy().heal();
            patiently()
                    .until(() -> driver.events().contains("connected")
                            && driver.channel().isActive());
            assertThat(driver.events()).doesNotContain("connected, not open");
            patiently()
                    .during(COMMAND_TIMEOUT)
                    .until(() ->
                            driver.channels().stream().filter(Channel::isActive).count() == 1);
        }
    }

    /**
     * The event loop is held up when an attempt has failed, until the next one has begun: then the driver makes another one. One of
     * all its attempts at a time has a channel.
     */
    @Test
    void twoAttempts_areOneConnection() {
        List<Channel> begun = new CopyOnWriteArrayList<>();
        endsLate(begun, () -> patiently().until(begun::size, size -> size > 2));
    }

    /** It is held up for longer than the next attempt takes, which is on another event loop. */
    @Test
    void failedAttempt_endsLast() {
        List<Channel> begun = new CopyOnWriteArrayList<>();
        endsLate(begun, () -> {
            patiently().until(begun::size, size -> size > 2);
            return begun.get(2).closeFuture().await(1, TimeUnit.SECONDS);
        });
    }

    /** The first attempt to reconnect fails, and the driver is notified that its channel is closed only after this. */
    private static void endsLate(List<Channel> begun, Callable<?> until) {
        AtomicBoolean notified = new AtomicBoolean();
        NettyCustomizer holdsUp = new NettyCustomizer() {
            @Override
            public void afterChannelInitialized(Channel channel) {
                begun.add(channel);
                afterHandshake(channel, new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelInactive(ChannelHandlerContext context) throws Exception {
                        if (begun.indexOf(channel) == 1) {
                            until.call();
                            notified.set(true);
                        }
                        context.fireChannelInactive();
                    }
                });
            }
        };
        try (BareDriver driver = new BareDriver(noting -> limit(new CommandChannels(both(noting, holdsUp))))) {
            StatefulRedisConnection<byte[], byte[]> connection = driver.connect(TIMEOUT.multipliedBy(2));
            driver.proxy().delay(Direction.REPLIES, TIMEOUT);
            driver.channel().disconnect();
            patiently().until(() -> begun.size() == 2 && begun.get(1).isActive());

            begun.get(1).close();
            driver.proxy().heal();

            patiently().untilTrue(notified);
            patiently()
                    .during(COMMAND_TIMEOUT)
                    .until(() -> connection.isOpen()
                            && begun.stream().filter(Channel::isActive).count() == 1);
        }
    }

    /**
     * A first connect that times out between two replies of the handshake fails, even if the driver is notified late that the
     * channel is closed; and no attempt follows.
     */
    @Test
    void firstConnectionInPart_fails() {
        NettyCustomizer closesLate = new NettyCustomizer() {
            @Override
            public void afterChannelInitialized(Channel channel) {
                beforeHandshake(channel, new ChannelOutboundHandlerAdapter() {
                    @Override
                    public void close(ChannelHandlerContext context, ChannelPromise closed) {
                        context.close();
                        context.executor().schedule(() -> closed.trySuccess(), 50, TimeUnit.MILLISECONDS);
                    }
                });
            }
        };
        try (BareDriver driver = new BareDriver(noting -> limit(both(noting, closesLate)))) {
            Duration eachReply =
                    COMMAND_TIMEOUT.multipliedBy(4); // a machine that stops for less than half of it does no harm
            driver.proxy().delay(Direction.REPLIES, eachReply);

            assertThat(driver.connecting(eachReply.multipliedBy(3).dividedBy(2)))
                    .failsWithin(TIMEOUT);

            patiently().during(COMMAND_TIMEOUT).until(() -> driver.channels().size() == 1);
        }
    }

    /**
     * A first connection whose handshake has ended on another thread, as with credentials of a provider, and that is closed before the
     * driver processes that on its I/O thread, or after that, is made again: it was given out already.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void firstConnectionGivenOut_isMadeAgain(boolean closedFirst) {
        AtomicBoolean isFirst = new AtomicBoolean(true);
        NettyCustomizer closesFirst = new NettyCustomizer() {
            @Override
            public void afterChannelInitialized(Channel channel) {
                if (isFirst.getAndSet(false)) {
                    beforeHandshake(channel, new ClosesEarly(closedFirst));
                }
            }
        };
        try (BareDriver driver = new BareDriver(noting -> limit(both(noting, closesFirst)))) {
            driver.connect(TIMEOUT.multipliedBy(2));

            patiently()
                    .until(() ->
                            driver.channels().size() == 2 && driver.events().contains("connected"));
        }
    }

    /**
     * Ends the handshake for the driver's other threads, and closes the channel: before the last reply, which is processed then, or
     * before the first one, so that for the I/O thread the handshake does not end.
     */
    private static final class ClosesEarly extends ChannelInboundHandlerAdapter {
        private final boolean closedFirst;
        private int replies;

        ClosesEarly(boolean closedFirst) {
            this.closedFirst = closedFirst;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object reply) {
            if (++replies == (closedFirst ? 1 : 2)) {
                context.pipeline()
                        .get(RedisHandshakeHandler.class)
                        .channelInitialized()
                        .toCompletableFuture()
                        .complete(null);
                context.channel().close();
            }
            if (closedFirst) {
                ReferenceCountUtil.release(reply);
            } else {
                context.fireChannelRead(reply);
            }
        }
    }

    /** Another customizer is still applied to channels, and the first connection is not limited. */
    @Test
    void firstConnection_isNotLimited() {
        List<Channel> seen = new ArrayList<>();
        NettyCustomizer others = new NettyCustomizer() {
            @Override
            public void afterChannelInitialized(Channel channel) {
                seen.add(channel);
            }
        };
        try (BareDriver driver = new BareDriver(noting -> limit(both(noting, others)))) {
            driver.proxy().delay(COMMAND_TIMEOUT);

            driver.connect(TIMEOUT.multipliedBy(2));

            assertThat(driver.channels()).hasSize(1).isEqualTo(seen);
        }
    }

    private static NettyCustomizer both(NettyCustomizer one, NettyCustomizer other) {
        return new NettyCustomizer() {
            @Override
            public void afterChannelInitialized(Channel channel) {
                one.afterChannelInitialized(channel);
                other.afterChannelInitialized(channel);
            }
        };
    }

    private static void beforeHandshake(Channel channel, ChannelHandler added) {
        channel.pipeline().addBefore(handshake(channel), null, added);
    }

    private static void afterHandshake(Channel channel, ChannelHandler added) {
        channel.pipeline().addAfter(handshake(channel), null, added);
    }

    private static String handshake(Channel channel) {
        return channel.pipeline().context(RedisHandshakeHandler.class).name();
    }
}

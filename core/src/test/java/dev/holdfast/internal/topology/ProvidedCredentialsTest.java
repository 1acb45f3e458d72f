package dev.holdfast.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.testkit.RedisServer;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.pubsub.PubSubCommandHandler;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Credentials of an application's provider: the driver asks for them on another thread, and continues the handshake there. */
@Tag("driver")
final class ProvidedCredentialsTest {
    private static final int IN_HANDSHAKE = 2; // the credentials, and the names of the driver and its version

    /** The handshake ends on the other thread, and the I/O thread is late to process that: the first command waits for it. */
    @Test
    void build_ioThreadIsLate() {
        ClientResources resources =
                ClientResources.builder().nettyCustomizer(new LateIoThread()).build();
        try (RedisServer server = RedisServer.builder().start()) {
            server.setUser("app", "secret", "~*", "&*", "+@all");
            RedisURI uri = RedisURI.create(server.uri());
            uri.setCredentialsProvider(RedisCredentialsProvider.from(() -> RedisCredentials.just("app", "secret")));
            try (Holdfast client =
                    Holdfast.builder().redisUri(uri).clientResources(resources).build()) {
                assertThat(client.isConnected()).isTrue();
            }
        } finally {
            resources.shutdown(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    /**
     * Has replies of a handshake arrive before the other thread continues, and holds the I/O thread up after each, so that the other
     * thread comes to the end of the handshake first.
     */
    private static final class LateIoThread implements NettyCustomizer {
        @Override
        @SuppressWarnings("deprecation") // there is no other way to be called on the thread that writes
        public void afterChannelInitialized(Channel channel) {
            Semaphore replies = new Semaphore(0);
            boolean ofSubscriptions =
                    channel.pipeline().get(PubSubCommandHandler.class) != null; // these are needed second
            long lateMillis = ofSubscriptions ? 500 : 100;
            channel.pipeline().addFirst(new ChannelInboundHandlerAdapter() {
                private int count;

                @Override
                public void channelReadComplete(ChannelHandlerContext context) {
                    context.fireChannelReadComplete();
                    if (count++ < IN_HANDSHAKE) {
                        replies.release();
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(lateMillis));
                    }
                }
            });
            channel.pipeline().addLast(ImmediateEventExecutor.INSTANCE, new ChannelOutboundHandlerAdapter() {
                private final AtomicInteger count = new AtomicInteger();

                @Override
                public void flush(ChannelHandlerContext context) throws InterruptedException {
                    context.flush();
                    if (!channel.eventLoop().inEventLoop() && count.getAndIncrement() < IN_HANDSHAKE) {
                        assertThat(replies.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
                    }
                }
            });
        }
    }
}

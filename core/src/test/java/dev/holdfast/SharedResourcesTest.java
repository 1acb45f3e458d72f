package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Resources of the driver that users share with their clients: used, and left as they are. */
final class SharedResourcesTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final Queue<Channel> customized = new ConcurrentLinkedQueue<>();
    private final NettyCustomizer users = new NettyCustomizer() {
        @Override
        public void afterChannelInitialized(Channel channel) {
            customized.add(channel);
        }
    };
    private final ClientResources shared =
            ClientResources.builder().nettyCustomizer(users).build();

    @AfterEach
    void shutDown() {
        shared.shutdown(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** What users do to channels is done to ours: several clients on the same resources each have their own two. */
    @Test
    void customizer_isKept() throws InterruptedException {
        try (Holdfast one = redis.connect(builder -> builder.clientResources(shared));
                Holdfast other = redis.connect(builder -> builder.clientResources(shared))) {
            Lease lease = one.getLock(redis.name()).acquire();
            assertThat(other.getLock(redis.name()).tryAcquire(Duration.ZERO)).isEmpty();
            lease.close();
            other.getLock(redis.name()).acquire().close();
            assertThat(customized).hasSize(4).doesNotHaveDuplicates();
        }
        assertThat(shared.nettyCustomizer()).isSameAs(users);
    }
}

package dev.holdfast.fault.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.holdfast.Crowd;
import dev.holdfast.Guarded;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import io.lettuce.core.metrics.CommandLatencyCollector;
import io.lettuce.core.metrics.CommandLatencyId;
import io.lettuce.core.metrics.CommandMetrics;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Driver resources that users share with their clients: used, and left unchanged. */
@Tag("fault")
@Tag("driver")
final class SharedResourcesTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private static final int RELEASES = 5;

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

    /**
     * A user's channel customizer is applied to this library's channels: several clients on the same resources have
     * their own two each.
     */
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

    /** What a client registers with the shared resources ends with it; the user's own use continues. */
    @Test
    void close_endsOnlyItsOwn() {
        List<ScheduledFuture<?>> scheduled = new CopyOnWriteArrayList<>();
        EventExecutorGroup executors = new DefaultEventExecutorGroup(1) {
            @Override
            public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long delay, long period, TimeUnit unit) {
                ScheduledFuture<?> known = super.scheduleAtFixedRate(task, delay, period, unit);
                scheduled.add(known);
                return known;
            }
        };
        Latencies latencies = new Latencies();
        ClientResources measured = ClientResources.builder()
                .eventExecutorGroup(executors)
                .commandLatencyRecorder(latencies)
                .build();
        assertThat(scheduled).as("theirs").hasSize(1);

        redis.connect(builder -> builder.clientResources(measured)).close();

        assertThat(scheduled).as("and the client's").hasSize(2);
        assertThat(scheduled.get(0).isDone()).isFalse();
        assertThat(scheduled.get(1).isCancelled()).isTrue();
        assertThat(latencies.isShutDown).isFalse();
        assertThat(executors.isShuttingDown()).isFalse();
        assertThatCode(() -> measured.timer().newTimeout(timeout -> {}, 1, TimeUnit.MILLISECONDS))
                .doesNotThrowAnyException();
        measured.shutdown(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
        executors.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /**
     * Application code that blocks the shared threads does not delay a handoff: a client's delayed work runs on a
     * thread of its own.
     */
    @Test
    void blockedExecutors_locksWork() {
        EventExecutorGroup executors = new DefaultEventExecutorGroup(1);
        ClientResources blocked =
                ClientResources.builder().eventExecutorGroup(executors).build();
        CountDownLatch unblocked = new CountDownLatch(1);
        Guarded guarded = new Guarded();
        try (Holdfast client = redis.connect(builder -> builder.clientResources(blocked))) {
            executors.execute(() -> awaitEnd(unblocked));
            try {
                Crowd crowd = new Crowd(client.getLock(redis.name()), 4, guarded);
                long before = deletions();
                Patience.await().until(() -> deletions() >= before + RELEASES);
                crowd.stop();
            } finally {
                unblocked.countDown();
            }
        } finally {
            blocked.shutdown(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
            executors.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    private static long deletions() {
        return String.valueOf(redis.server().command("INFO", "commandstats"))
                .lines()
                .filter(line -> line.startsWith("cmdstat_del:calls="))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
                .sum();
    }

    private static void awaitEnd(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Makes a client publish its measured latencies from time to time. */
    private static final class Latencies implements CommandLatencyCollector {
        private volatile boolean isShutDown;

        @Override
        public boolean isEnabled() {
            return true;
        }

        @Override
        public void recordCommandLatency(
                SocketAddress local,
                SocketAddress remote,
                ProtocolKeyword command,
                long firstResponseNanos,
                long completionNanos) {}

        @Override
        public Map<CommandLatencyId, CommandMetrics> retrieveMetrics() {
            return Map.of();
        }

        @Override
        public void shutdown() {
            isShutDown = true;
        }
    }
}

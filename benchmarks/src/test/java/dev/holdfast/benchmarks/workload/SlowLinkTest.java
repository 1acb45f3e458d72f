package dev.holdfast.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The slow link has a long delay, but no limited throughput. */
@Tag("slow")
@Tag("harness")
class SlowLinkTest {
    private static final Duration EACH_WAY = Duration.ofMillis(20);
    private static final int MESSAGES = 1_000;

    /** Many messages in flight are all delayed by the same time; their delays do not add up. */
    @Test
    void delay_manyMessages_isThatOfOne() throws Exception {
        try (RedisServer server = RedisServer.builder().start();
                FaultProxy proxy = FaultProxy.inFrontOf(server);
                RedisClient client = RedisClient.create(proxy.uri());
                StatefulRedisConnection<String, String> connection = client.connect()) {
            proxy.delay(EACH_WAY);
            long sent = System.nanoTime();
            List<RedisFuture<String>> replies = Stream.generate(
                            () -> connection.async().ping())
                    .limit(MESSAGES)
                    .toList();
            for (RedisFuture<String> reply : replies) {
                assertThat(reply.get(60, TimeUnit.SECONDS)).isEqualTo("PONG");
            }

            assertThat(Duration.ofNanos(System.nanoTime() - sent))
                    .isBetween(EACH_WAY.multipliedBy(2), EACH_WAY.multipliedBy(MESSAGES / 4));
        }
    }
}

package dev.holdfast.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.junit.TestClock;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Each property sets what it is named after, as the client shows. */
@SuppressWarnings("LockNotBeforeTry") // the tests are about losses; no work is done under a lock
final class PropertiesBuilderCustomizerTest {
    private static RedisServer redis;

    @BeforeAll
    static void start() {
        redis = RedisServer.builder().start();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    private static ApplicationContextRunner with(String... properties) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(HoldfastAutoConfiguration.class))
                .withPropertyValues("holdfast.redis-uri=" + redis.uri())
                .withPropertyValues(properties);
    }

    /** A value that this setting alone does not allow is refused with the name of the setting. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    watchdog-timeout    | 20ms   | watchdogTimeout must be between PT0.1S and PT8760H, was PT0.02S
                    command-timeout     | 16s    | commandTimeout must be at most 1/2 of watchdogTimeout, was PT16S
                    connect-timeout     | 2h     | connectTimeout must be between 1 ms and PT1H, was PT2H
                    reconnect-delay     | 11s    | reconnectDelay must be at most 1/3 of watchdogTimeout, was PT11S
                    failover-timeout    | 2s     | failoverTimeout must be at least commandTimeout, was PT2S
                    drift-allowance     | 8s     | driftAllowance must be between zero and a quarter of watchdogTimeout, was PT8S
                    max-hold            | 29s    | maxHold must be at least watchdogTimeout, was PT29S
                    replicated.replicas | -3     | replicas must be at least 1, was -3
                    replicated.timeout  | 1600ms | the timeout of replicated must be at most half of commandTimeout, was PT1.6S
                    """)
    void range_isThatOfTheSetting(String property, String value, String refusal) {
        with("holdfast.replicated.replicas=1", "holdfast." + property + "=" + value)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageStartingWith(refusal));
    }

    /** A release fails without a reply, unless it does not wait for one. */
    @Test
    void awaitReleases_isApplied() {
        with("holdfast.command-timeout=300ms")
                .run(context -> assertThatThrownBy(() -> releaseUnanswered(context.getBean(Holdfast.class)))
                        .isInstanceOf(LockException.class));
        with("holdfast.await-releases=false")
                .run(context -> assertThatCode(() -> releaseUnanswered(context.getBean(Holdfast.class)))
                        .doesNotThrowAnyException());
    }

    private static void releaseUnanswered(Holdfast client) {
        DistributedLock lock = client.getLock("unawaited");
        lock.lock();
        redis.pause();
        try {
            lock.unlock();
        } finally {
            redis.resume();
        }
    }

    /** A thread that loses a lock is interrupted if the property says so. */
    @Test
    void interruptOnLoss_isApplied() {
        TestClock clock = new TestClock();
        with("holdfast.interrupt-on-loss=true")
                .withBean(HoldfastBuilderCustomizer.class, () -> clock::applyTo)
                .run(context -> {
                    DistributedLock lock = context.getBean(Holdfast.class).getLock("interrupted");
                    lock.lock();
                    redis.command("DEL", "interrupted");
                    clock.advance(Duration.ofSeconds(10)); // the next renewal is due
                    // The sleep is what the interrupt ends; it is never slept out.
                    assertThatThrownBy(() -> TimeUnit.SECONDS.sleep(30)).isInstanceOf(InterruptedException.class);
                    assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
                });
    }

    /** The warning about a lease that was dropped shows where it was acquired if all leases are tracked. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void leakTracking_isApplied(CapturedOutput output) {
        TestClock clock = new TestClock();
        with("holdfast.leak-tracking=every")
                .withBean(HoldfastBuilderCustomizer.class, () -> clock::applyTo)
                .run(context -> {
                    Holdfast client = context.getBean(Holdfast.class);
                    drop(client);
                    Eventually.await().pollInterval(Duration.ofMillis(20)).until(() -> {
                        System.gc();
                        clock.advance(Duration.ofSeconds(1)); // a lease that is found dropped is not renewed
                        return client.stats().lost() == 1;
                    });
                    redis.command("DEL", "dropped");
                    assertThat(output).contains("at " + PropertiesBuilderCustomizerTest.class.getName() + ".drop(");
                });
    }

    private static void drop(Holdfast client) {
        Lease lease = client.getLock("dropped").acquire();
        assertThat(lease.isValid()).isTrue();
    }

    /** The client uses the application's client resources if it is to share them, and otherwise its own. */
    @Test
    void shareClientResources_isApplied() {
        AtomicInteger channels = new AtomicInteger();
        ClientResources resources = ClientResources.builder()
                .nettyCustomizer(new NettyCustomizer() {
                    @Override
                    public void afterChannelInitialized(Channel channel) {
                        channels.incrementAndGet();
                    }
                })
                .build();
        try {
            ApplicationContextRunner some = with().withBean(ClientResources.class, () -> resources);
            some.run(context ->
                    assertThat(context.getBean(Holdfast.class).isConnected()).isTrue());
            assertThat(channels).hasValue(0);
            some.withPropertyValues("holdfast.share-client-resources=true")
                    .run(context -> assertThat(context).hasNotFailed());
            assertThat(channels).hasPositiveValue();
        } finally {
            resources.shutdown(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }
}

package dev.holdfast.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.Lease;
import dev.holdfast.LockEvent;
import dev.holdfast.LockException;
import dev.holdfast.LockHolder;
import dev.holdfast.LockListener;
import dev.holdfast.testkit.RedisServer;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/** A client is configured by the properties and beans of the application. */
final class HoldfastAutoConfigurationTest {
    private static RedisServer redis;

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DataRedisAutoConfiguration.class, HoldfastAutoConfiguration.class));

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    private ApplicationContextRunner withUri() {
        return application.withPropertyValues("holdfast.redis-uri=" + redis.uri());
    }

    private ApplicationContextRunner withDataRedis() {
        return application.withPropertyValues(
                "spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port());
    }

    /** The client is connected to the Redis of the property. */
    @Test
    void redisUri_isUsed() {
        withUri().run(context -> {
            Holdfast client = context.getBean(Holdfast.class);
            try (Lease lease = client.getLock("by-uri").acquire()) {
                assertThat(lease.isValid()).isTrue();
                assertThat(redis.keys()).contains("by-uri");
            }
        });
    }

    /** An empty URI, as of an environment variable without a value, is not set. */
    @Test
    void emptyUri_isUnset() {
        withDataRedis().withPropertyValues("holdfast.redis-uri=").run(context -> {
            assertThat(context).hasNotFailed();
            try (Lease lease =
                    context.getBean(Holdfast.class).getLock("by-data").acquire()) {
                assertThat(lease.isValid()).isTrue();
                assertThat(redis.keys()).contains("by-data");
            }
        });
    }

    /** Without a URI of its own, the client uses the Redis of Spring Data. */
    @Test
    void dataRedis_isUsed() {
        withDataRedis().run(context -> {
            try (Lease lease =
                    context.getBean(Holdfast.class).getLock("by-data").acquire()) {
                assertThat(lease.isValid()).isTrue();
                assertThat(redis.keys()).contains("by-data");
            }
        });
    }

    /** The URI wins over the Redis of Spring Data. */
    @Test
    void redisUri_beforeDataRedis() {
        withUri()
                .withPropertyValues("spring.data.redis.port=1")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Holdfast.class));
    }

    /** Connection details of a container, which replace the bean of the properties, are used. */
    @Test
    void serviceConnection_isUsed() {
        application
                .withPropertyValues("spring.data.redis.host=unused.invalid")
                .withBean(DataRedisConnectionDetails.class, () -> new DataRedisConnectionDetails() {
                    @Override
                    public Standalone getStandalone() {
                        return Standalone.of(redis.host(), redis.port());
                    }
                })
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Holdfast.class));
    }

    /** A bean with connection details of Holdfast wins over all properties. */
    @Test
    void connectionDetails_winOverProperties() {
        application
                .withPropertyValues("holdfast.redis-uri=redis://unused.invalid", "spring.data.redis.port=1")
                .withBean(HoldfastConnectionDetails.class, () -> builder -> builder.redisUri(redis.uri()))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Holdfast.class));
    }

    /** Without Spring Data Redis on the class path, the URI suffices. */
    @Test
    void dataRedis_isOptional() {
        new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.data.redis"))
                .withConfiguration(AutoConfigurations.of(HoldfastAutoConfiguration.class))
                .withPropertyValues("holdfast.redis-uri=" + redis.uri())
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Holdfast.class));
    }

    /** The application can do without a client. */
    @Test
    void disabled_hasNoClient() {
        withUri()
                .withPropertyValues("holdfast.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Holdfast.class));
    }

    /** A client of the application's own replaces that of the auto-configuration, which connects to nothing. */
    @Test
    void ownClient_replaces() {
        application
                .withPropertyValues("holdfast.redis-uri=redis://unused.invalid")
                .withBean("mine", Holdfast.class, () -> Holdfast.connect(redis.uri()))
                .run(context ->
                        assertThat(context).hasSingleBean(Holdfast.class).hasBean("mine"));
    }

    /** A client that is no default candidate is beside the configured one, at the same Redis. */
    @Test
    void secondClient_isBeside() {
        withUri().withUserConfiguration(WithSecond.class).run(context -> {
            Holdfast configured = context.getBean(Holdfast.class);
            assertThat(context.getBean("holdfast")).isSameAs(configured);
            Holdfast second = context.getBean("second", Holdfast.class);
            assertThat(labelOf(second)).isEqualTo("second");
            try (Lease lease = configured.getLock("of both").acquire()) {
                assertThat(lease.isValid()).isTrue();
                assertThat(second.getLock("of both").tryLock()).isFalse();
            }
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class WithSecond {
        @Bean(defaultCandidate = false)
        Holdfast second(HoldfastConnectionDetails redis) {
            HoldfastBuilder builder = Holdfast.builder();
            redis.applyTo(builder);
            return builder.label("second").build();
        }
    }

    /** The name of the application is the label of the client, unless the property names another. */
    @Test
    void label_isApplicationName() {
        withUri().withPropertyValues("spring.application.name=orders").run(context -> assertThat(
                        labelOf(context.getBean(Holdfast.class)))
                .isEqualTo("orders"));
        withUri()
                .withPropertyValues("spring.application.name=orders", "holdfast.label=orders-7")
                .run(context ->
                        assertThat(labelOf(context.getBean(Holdfast.class))).isEqualTo("orders-7"));
    }

    private static String labelOf(Holdfast client) {
        DistributedLock lock = client.getLock("label");
        try (Lease lease = lock.acquire()) {
            assertThat(lease.isValid()).isTrue();
            return lock.inspect().holder().flatMap(LockHolder::label).orElse("");
        }
    }

    /** The property is the prefix of the keys in Redis. */
    @Test
    void keyPrefix_isApplied() {
        withUri().withPropertyValues("holdfast.key-prefix=locks:").run(context -> {
            try (Lease lease = context.getBean(Holdfast.class).getLock("a").acquire()) {
                assertThat(lease.isValid()).isTrue();
                assertThat(redis.keys()).contains("locks:a");
            }
        });
    }

    /** Customizers have the last word, in their order. */
    @Test
    void customizers_followProperties() {
        withUri()
                .withPropertyValues("holdfast.key-prefix=property:", "holdfast.label=property")
                .withBean("a", Customizer.class, 2, "second:")
                .withBean("b", Customizer.class, 1, "first:")
                .withBean("c", HoldfastBuilderCustomizer.class, () -> builder -> builder.label("customized"))
                .run(context -> {
                    Holdfast client = context.getBean(Holdfast.class);
                    assertThat(labelOf(client)).isEqualTo("customized");
                    try (Lease lease = client.getLock("b").acquire()) {
                        assertThat(lease.isValid()).isTrue();
                        assertThat(redis.keys()).contains("second:b");
                    }
                });
    }

    /** Listeners that are beans hear of the client's events, on a thread of the client's own. */
    @Test
    void listeners_areAdded() {
        withUri().withUserConfiguration(WithListener.class).run(context -> {
            context.getBean(Holdfast.class).getLock("heard").acquire().close();
            Recorder recorder = context.getBean(Recorder.class);
            assertThat(recorder.thread.join().getName()).startsWith("holdfast-");
            assertThat(recorder.thread.join().getContextClassLoader()).isSameAs(context.getClassLoader());
        });
    }

    /** With virtual threads, the callbacks run on these. */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void virtualThreads_areUsed() {
        withUri()
                .withPropertyValues("spring.threads.virtual.enabled=true")
                .withUserConfiguration(WithListener.class)
                .run(context -> {
                    context.getBean(Holdfast.class).getLock("virtual").acquire().close();
                    Thread thread = context.getBean(Recorder.class).thread.join();
                    assertThat(thread.getClass().getSimpleName()).isEqualTo("VirtualThread");
                });
    }

    /** The client closes after the beans that use it, and waits for what they still hold. */
    @Test
    void shutdown_isOrderly() {
        Queue<String> log = new ConcurrentLinkedQueue<>();
        withUri().withBean("worker", WorkerBean.class, log).run(context -> context.getBean(WorkerBean.class)
                .acquire());
        assertThat(log).containsExactly("acquired", "released");
        assertThat(redis.keys()).doesNotContain("worker");
    }

    /** What is still held when the application stops has the grace period to be released. */
    @Test
    void shutdownGrace_isGranted() {
        CompletableFuture<CompletableFuture<Void>> releasing = new CompletableFuture<>();
        withUri().withPropertyValues("holdfast.shutdown-grace=20s").run(context -> {
            Holdfast client = context.getBean(Holdfast.class);
            Lease lease = client.getLock("grace").acquire();
            releasing.complete(CompletableFuture.runAsync(() -> releaseOnceClosing(client, lease)));
        });
        assertThat(releasing.join()).isCompleted();
        assertThat(redis.keys()).doesNotContain("grace");
    }

    /** A client that closes refuses new locks at once, and so shows that the grace period has begun. */
    private static void releaseOnceClosing(Holdfast client, Lease lease) {
        while (true) {
            try {
                client.getLock("grace-probe").acquire().close();
            } catch (IllegalStateException | LockException e) {
                lease.close();
                return;
            }
        }
    }

    record Customizer(int order, String keyPrefix) implements HoldfastBuilderCustomizer, Ordered {
        @Override
        public void customize(HoldfastBuilder builder) {
            builder.keyPrefix(keyPrefix);
        }

        @Override
        public int getOrder() {
            return order;
        }
    }

    static final class WorkerBean implements DisposableBean {
        private final Holdfast client;
        private final Queue<String> log;
        private @Nullable Lease lease;

        WorkerBean(Holdfast client, Queue<String> log) {
            this.client = client;
            this.log = log;
        }

        void acquire() {
            lease = client.getLock("worker").acquire();
            log.add("acquired");
        }

        @Override
        public void destroy() {
            Objects.requireNonNull(lease).close();
            log.add("released");
        }
    }

    static final class Recorder implements LockListener {
        final CompletableFuture<Thread> thread = new CompletableFuture<>();

        @Override
        public void released(LockEvent.Released event) {
            thread.complete(Thread.currentThread());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithListener {
        @Bean
        Recorder recorder() {
            return new Recorder();
        }
    }
}

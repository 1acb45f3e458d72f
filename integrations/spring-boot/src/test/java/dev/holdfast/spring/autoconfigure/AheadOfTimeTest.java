package dev.holdfast.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.spring.locked.Locked;
import dev.holdfast.spring.locked.LockedAutoConfiguration;
import dev.holdfast.testkit.RedisServer;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;

/** An application that was processed ahead of time takes its Redis from the environment in which it runs. */
final class AheadOfTimeTest {
    private RedisServer redis;
    private RedisServer other;

    @BeforeEach
    void start() {
        redis = RedisServer.start();
        other = RedisServer.start();
    }

    @AfterEach
    void stop() {
        redis.close();
        other.close();
    }

    /** A URI that is set at run time alone is used. */
    @Test
    @CompileWithForkedClassLoader
    void uriOfRunTime_isUsed() {
        run(Alone.class, none(), values("holdfast.redis-uri=" + redis.uri()), context -> assertLocksIn(redis, context));
    }

    /** It goes before the Redis of Spring Data, as without processing. */
    @Test
    @CompileWithForkedClassLoader
    void uriOfRunTime_goesBeforeDataRedis() {
        run(
                BesideDataRedis.class,
                none(),
                values("holdfast.redis-uri=" + redis.uri(), "spring.data.redis.url=" + other.uri()),
                context -> assertLocksIn(redis, context));
    }

    /** A URI of the build does not stay: without one at run time, the Redis of Spring Data is used. */
    @Test
    @CompileWithForkedClassLoader
    void uriOfBuild_isForgotten() {
        run(
                BesideDataRedis.class,
                values("holdfast.redis-uri=" + other.uri()),
                values("spring.data.redis.url=" + redis.uri()),
                context -> assertLocksIn(redis, context));
    }

    /** Without an address at run time, the application does not start, and says what to set. */
    @Test
    @CompileWithForkedClassLoader
    void noAddress_isRefused() {
        assertThat(failure(Alone.class, none())).hasRootCauseMessage("Holdfast has no Redis to connect to.");
    }

    /** The bundle with the certificates is that of run time, too. */
    @Test
    @CompileWithForkedClassLoader
    void sslBundleOfRunTime_isUsed() {
        assertThat(failure(
                        Alone.class, values("holdfast.redis-uri=rediss://127.0.0.1:1", "holdfast.ssl-bundle=absent")))
                .hasRootCauseInstanceOf(NoSuchSslBundleException.class);
    }

    private static TestPropertyValues values(String... pairs) {
        return TestPropertyValues.of(pairs);
    }

    private static TestPropertyValues none() {
        return TestPropertyValues.empty();
    }

    private static Throwable failure(Class<?> application, TestPropertyValues ofRunTime) {
        return catchThrowable(() -> run(application, none(), ofRunTime, context -> {}));
    }

    private static void assertLocksIn(RedisServer server, GenericApplicationContext context) {
        try (Lease lease = context.getBean(Holdfast.class).getLock("aot").acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(server.keys()).contains("aot");
        }
        assertThat(context.getBean(Work.class).heldKeys(server)).isEqualTo("orders");
    }

    /** Processes the application as a build does, and runs the result. */
    private static void run(
            Class<?> application,
            TestPropertyValues ofBuild,
            TestPropertyValues ofRunTime,
            Consumer<GenericApplicationContext> test) {
        TestGenerationContext generated = new TestGenerationContext();
        AnnotationConfigApplicationContext build = new AnnotationConfigApplicationContext();
        ofBuild.applyTo(build);
        build.register(application);
        ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(build, generated);
        build.close();
        generated.writeGeneratedContent();
        TestCompiler.forSystem().with(generated).compile(compiled -> {
            try (GenericApplicationContext context = new GenericApplicationContext()) {
                ofRunTime.applyTo(context);
                initialize(
                        compiled.getInstance(ApplicationContextInitializer.class, initializer.canonicalName()),
                        context);
                context.refresh();
                test.accept(context);
            }
        });
    }

    @SuppressWarnings("unchecked")
    private static void initialize(ApplicationContextInitializer<?> generated, GenericApplicationContext context) {
        ((ApplicationContextInitializer<GenericApplicationContext>) generated).initialize(context);
    }

    /** A method under a lock. */
    static class Work {
        @Locked(name = "orders")
        public String heldKeys(RedisServer server) {
            return String.join(",", server.keys());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({SslAutoConfiguration.class, HoldfastAutoConfiguration.class, LockedAutoConfiguration.class
    })
    static class Alone {
        @Bean
        Work work() {
            return new Work();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(DataRedisAutoConfiguration.class)
    static class BesideDataRedis extends Alone {}
}

package dev.holdfast.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.RedisServer;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

/** An application that cannot have its client does not start, and shows what to change. */
final class HoldfastStartFailureTest {
    /** Analyzers of Spring Boot want arguments. */
    private static final FailureHandler OTHERS_MAY_FAIL = (type, name, failure) -> {};

    private final ApplicationContextRunner withoutRedis =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(HoldfastAutoConfiguration.class));
    private final ApplicationContextRunner withDataRedis =
            withoutRedis.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class));

    private static FailureAnalysis analysis(ApplicationContextRunner application) {
        FailureAnalysis[] found = new FailureAnalysis[1];
        application.run(context -> {
            assertThat(context).hasFailed();
            Throwable failure = Objects.requireNonNull(context.getStartupFailure());
            found[0] =
                    SpringFactoriesLoader.forDefaultResourceLocation()
                            .load(FailureAnalyzer.class, OTHERS_MAY_FAIL)
                            .stream()
                            .filter(HoldfastStartFailureAnalyzer.class::isInstance)
                            .map(analyzer -> analyzer.analyze(failure))
                            .findFirst()
                            .orElseThrow();
        });
        return found[0];
    }

    /** Without any address, the analysis names the properties that set one. */
    @Test
    void noAddress_namesProperties() {
        FailureAnalysis analysis = analysis(withoutRedis);
        assertThat(analysis.getDescription()).contains("no Redis");
        assertThat(analysis.getAction()).contains("holdfast.redis-uri").contains("spring.data.redis");
    }

    /** A Redis that does not answer is named, with the origin of its address, without the password, and a way to start. */
    @Test
    void refusedConnection_namesAddress() {
        RedisServer redis = RedisServer.start();
        int port = redis.port();
        redis.close();
        FailureAnalysis analysis =
                analysis(withoutRedis.withPropertyValues("holdfast.redis-uri=redis://:secret@127.0.0.1:" + port));
        assertThat(analysis.getDescription()).contains("127.0.0.1:" + port).doesNotContain("secret");
        assertThat(analysis.getAction())
                .contains("holdfast.redis-uri", "holdfast.connect")
                .doesNotContain("secret", "holdfast.enabled");
        assertThat(analysis(withDataRedis.withPropertyValues("spring.data.redis.port=" + port))
                        .getAction())
                .contains("spring.data.redis");
    }

    /** A bundle that does not exist is named, with what defines one. */
    @Test
    void unknownBundle_isNamed() {
        FailureAnalysis analysis = analysis(withoutRedis
                .withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class))
                .withPropertyValues("holdfast.redis-uri=rediss://127.0.0.1:1", "holdfast.ssl-bundle=locks"));
        assertThat(analysis.getDescription()).contains("holdfast.ssl-bundle", "locks");
        assertThat(analysis.getAction()).contains("spring.ssl.bundle.pem.locks");
    }

    /** A malformed URI is named as such, without the password. */
    @Test
    void malformedUri_isNamed() {
        FailureAnalysis analysis =
                analysis(withoutRedis.withPropertyValues("holdfast.redis-uri=redis://:secret@host:65 5"));
        assertThat(analysis.getDescription()).contains("holdfast.redis-uri").doesNotContain("secret");
    }

    /** A static master with replicas is refused by the name of its property. */
    @Test
    void masterReplica_isRefused() {
        FailureAnalysis analysis =
                analysis(withDataRedis.withPropertyValues("spring.data.redis.masterreplica.nodes=a:6379,b:6379"));
        assertThat(analysis.getDescription()).contains("spring.data.redis.masterreplica.nodes");
        assertThat(analysis.getAction()).contains("holdfast.redis-uri");
    }

    /** A value that is not allowed, and settings that contradict each other, are explained. */
    @Test
    void wrongSettings_areExplained() {
        ApplicationContextRunner some = withoutRedis.withPropertyValues("holdfast.redis-uri=redis://127.0.0.1:1");
        assertThat(analysis(some.withPropertyValues("holdfast.watchdog-timeout=-1s"))
                        .getDescription())
                .contains("watchdogTimeout");
        assertThat(analysis(some.withPropertyValues("holdfast.command-timeout=29s"))
                        .getDescription())
                .contains("commandTimeout must be at most 1/2 of watchdogTimeout");
    }
}

package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.spring.autoconfigure.HoldfastAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The advice of locks is created early, for it may be needed by any bean. */
final class LockedStartTest {
    @RegisterExtension
    static final LockedApplication application = new LockedApplication();

    /** Where beans are created before all post-processors, Spring does not warn of those that locks need. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void start_withoutWarnings(CapturedOutput output) {
        application
                .runner()
                .withConfiguration(AutoConfigurations.of(
                        MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class))
                .run(context -> {
                    assertThat(context).hasSingleBean(MeterRegistry.class);
                    assertThat(output).doesNotContain("is not eligible for getting processed");
                });
    }

    /** Methods run under their lock also where Spring Boot registers no auto-proxy creator, and no transactions do. */
    @Test
    void start_withoutAutoProxyOfBoot() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        AopAutoConfiguration.class, HoldfastAutoConfiguration.class, LockedAutoConfiguration.class))
                .withPropertyValues(
                        "spring.aop.auto=false",
                        "holdfast.redis-uri=" + application.redis().uri())
                .withBean(Till.class)
                .run(context -> {
                    Till till = context.getBean(Till.class);
                    assertThat(AopUtils.isAopProxy(till)).isTrue();
                    assertThat(till.isLocked()).isTrue();
                });
    }

    static class Till {
        @Locked(name = "till")
        public boolean isLocked() {
            return CurrentLock.isHeld("till");
        }
    }
}

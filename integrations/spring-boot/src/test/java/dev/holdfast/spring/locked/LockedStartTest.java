package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.spring.autoconfigure.HoldfastAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.DisposableBean;
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

    /** A bean that calls a locked method when it is destroyed gets the lock: the client is closed after it. */
    @Test
    void stop_closesClientLast() {
        List<Boolean> locked = new CopyOnWriteArrayList<>();
        application.runner().withBean(Till.class).withBean(Drain.class, locked).run(context -> assertThat(context)
                .hasNotFailed());
        assertThat(locked).containsExactly(true);
    }

    /** With several clients, locked methods would not know which to use: one has to be the primary one. */
    @Test
    void severalClients_needPrimary() {
        ApplicationContextRunner several = application
                .runner()
                .withBean("first", Holdfast.class, () -> connect())
                .withBean("second", Holdfast.class, () -> connect());
        several.run(context -> assertThat(context).hasNotFailed());
        several.withBean(Till.class).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure()).hasMessageContaining("@Primary");
        });
        application
                .runner()
                .withBean("first", Holdfast.class, () -> connect())
                .withBean("second", Holdfast.class, () -> connect(), second -> second.setPrimary(true))
                .withBean(Till.class)
                .run(context ->
                        assertThat(context.getBean(Till.class).isLocked()).isTrue());
    }

    private static Holdfast connect() {
        return Holdfast.connect(application.redis().uri());
    }

    /** Properties that every call would fail by are refused. */
    @ParameterizedTest
    @ValueSource(strings = {"holdfast.locked.lease=0", "holdfast.locked.wait-for=-1s", "holdfast.shutdown-grace=-1s"})
    void values_areChecked(String property) {
        application.runner().withPropertyValues(property).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining(property.substring(0, property.indexOf('=')));
        });
    }

    record Drain(Till till, List<Boolean> locked) implements DisposableBean {
        @Override
        public void destroy() {
            locked.add(till.isLocked());
        }
    }

    static class Till {
        @Locked(name = "till")
        public boolean isLocked() {
            return CurrentLock.isHeld("till");
        }
    }
}

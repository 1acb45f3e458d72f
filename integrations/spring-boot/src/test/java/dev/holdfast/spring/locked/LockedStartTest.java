package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
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
}

package dev.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.spring.actuate.HoldfastEndpoint;
import dev.holdfast.spring.autoconfigure.HoldfastProperties;
import dev.holdfast.spring.integration.HoldfastLockRegistry;
import dev.holdfast.spring.locked.Locked;
import dev.holdfast.spring.metrics.HoldfastMetersAutoConfiguration;
import dev.holdfast.spring.shedlock.HoldfastLockProviderAutoConfiguration;
import dev.holdfast.testkit.PublicSurface;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The public API. */
final class SpringSurfaceTest {
    /** The public API of all packages equals {@code public-surface.txt}, so that a change of it shows in a review. */
    @Test
    void surface_isAsCheckedIn() throws IOException {
        List<String> actual = Stream.of(
                        HoldfastEndpoint.class,
                        HoldfastProperties.class,
                        HoldfastLockRegistry.class,
                        Locked.class,
                        HoldfastMetersAutoConfiguration.class,
                        HoldfastLockProviderAutoConfiguration.class)
                .flatMap(type -> PublicSurface.ofPackageOf(type).lines().stream())
                .toList();
        Files.write(Path.of("target", "public-surface.txt"), actual);
        assertThat(actual)
                .as("if the change is intended: cp target/public-surface.txt src/test/resources")
                .isEqualTo(Files.readAllLines(Path.of("src", "test", "resources", "public-surface.txt")));
    }
}

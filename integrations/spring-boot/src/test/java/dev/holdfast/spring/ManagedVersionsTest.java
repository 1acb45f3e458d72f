package dev.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.LettuceVersion;
import io.netty.util.Version;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;

/** The tests run with the driver that Spring Boot manages, and not with the one that the library is built with. */
final class ManagedVersionsTest {
    private static final Map<String, String> LETTUCE = Map.of("4.0", "6.8.", "4.1", "7.5.");
    private static final Map<String, String> NETTY = Map.of("4.0", "4.2.19.", "4.1", "4.2.15.");

    @Test
    void driver_isManaged() {
        String boot = SpringBootVersion.getVersion().substring(0, 3);
        assertThat(LettuceVersion.getVersion()).startsWith(LETTUCE.get(boot));
        assertThat(Version.identify().get("netty-common").artifactVersion()).startsWith(NETTY.get(boot));
    }
}

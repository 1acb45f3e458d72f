package dev.holdfast.guard.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.NativeImageMetadata;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A native image contains only the resources that its metadata lists. */
class RedisGuardNativeImageTest {
    /** Every listed resource exists, and every script is listed. */
    @Test
    void scripts_areNamed() throws IOException {
        NativeImageMetadata metadata = NativeImageMetadata.of("holdfast-guard-redis", RedisGuard.class);
        Set<String> named = new HashSet<>();
        for (String pattern : metadata.patterns()) {
            assertThat(metadata.matching(pattern)).as(pattern).isNotEmpty();
            named.addAll(metadata.matching(pattern));
        }
        assertThat(metadata.scripts()).isNotEmpty().isEqualTo(named);
    }
}

package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.NativeImageMetadata;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A native image contains only the resources and the names of types that its metadata lists. */
@Tag("pure")
final class NativeImageMetadataTest {
    private final NativeImageMetadata metadata = NativeImageMetadata.of("holdfast-core", Holdfast.class);

    NativeImageMetadataTest() throws IOException {}

    /** Every listed resource exists, and every script is listed. */
    @Test
    void scripts_areNamed() throws IOException {
        Set<String> named = new HashSet<>();
        for (String pattern : metadata.patterns()) {
            assertThat(metadata.matching(pattern)).as(pattern).isNotEmpty();
            named.addAll(metadata.matching(pattern));
        }
        assertThat(metadata.scripts())
                .contains("dev/holdfast/internal/kind/acquire.lua")
                .isEqualTo(named);
    }

    /** The types that are looked up by name are the driver's, for driver versions without maintenance notifications. */
    @Test
    void types_areNamed() throws ClassNotFoundException {
        assertThat(metadata.types())
                .containsExactlyInAnyOrder(
                        "io.lettuce.core.MaintNotificationsConfig", "io.lettuce.core.ClientOptions$Builder");
        assertThat(Class.forName("io.lettuce.core.ClientOptions$Builder")).isNotNull();
    }
}

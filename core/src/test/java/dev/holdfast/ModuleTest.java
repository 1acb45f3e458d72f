package dev.holdfast;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.pubsub.Subscriptions;
import dev.holdfast.watchdog.LeaseKeeper;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.net.URI;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the modules export, and to whom. */
@Tag("pure")
final class ModuleTest {
    /** Users see one package. */
    @Test
    void core_exportsTheApiAlone() throws IOException {
        ModuleDescriptor core = descriptor(Holdfast.class);

        assertThat(core.name()).isEqualTo("dev.holdfast");
        assertThat(core.isOpen()).isFalse();
        assertThat(core.opens()).isEmpty();
        assertThat(core.exports()).singleElement().satisfies(export -> {
            assertThat(export.source()).isEqualTo("dev.holdfast");
            assertThat(export.isQualified()).isFalse();
        });
    }

    @Test
    void watchdogAndPubsub_exportToCoreAlone() throws IOException {
        assertThat(exportedToCore(LeaseKeeper.class)).containsExactly("dev.holdfast.watchdog");
        assertThat(exportedToCore(Subscriptions.class)).containsExactly("dev.holdfast.pubsub");
    }

    private static Set<String> exportedToCore(Class<?> ofModule) throws IOException {
        Set<Exports> exports = descriptor(ofModule).exports();
        assertThat(exports).allSatisfy(export -> assertThat(export.targets()).containsExactly("dev.holdfast"));
        return exports.stream().map(Exports::source).collect(toSet());
    }

    /** The tests run on the class path, where a module is unnamed; so its descriptor is read from its file. */
    private static ModuleDescriptor descriptor(Class<?> ofModule) throws IOException {
        String home =
                ofModule.getProtectionDomain().getCodeSource().getLocation().toString();
        String file = (home.endsWith(".jar") ? "jar:" + home + "!/" : home) + "module-info.class";
        try (InputStream descriptor = URI.create(file).toURL().openStream()) {
            return ModuleDescriptor.read(descriptor);
        }
    }
}

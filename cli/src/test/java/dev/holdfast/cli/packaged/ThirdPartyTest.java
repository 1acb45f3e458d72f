package dev.holdfast.cli.packaged;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the licenses of the libraries in the program's jar require. */
@Tag("slow")
final class ThirdPartyTest {
    private static final Pattern LISTED = Pattern.compile("^  ([a-z0-9.]+) {2,}", Pattern.MULTILINE);

    /** A library that is new in the jar is new in the list, and one that has left it is removed. */
    @Test
    void packages_areThoseOfTheList() throws Exception {
        try (JarFile jar =
                new JarFile(HoldfastProcess.DIRECTORY.resolve("holdfast.jar").toFile())) {
            List<String> packages = jar.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.endsWith(".class"))
                    .map(name ->
                            name.replaceFirst("^META-INF/versions/\\d+/", "").replace('/', '.'))
                    .filter(name -> !name.startsWith("dev.holdfast."))
                    .toList();
            List<String> listed = LISTED.matcher(text(jar, "META-INF/THIRD-PARTY.txt"))
                    .results()
                    .map(line -> line.group(1) + ".")
                    .toList();

            assertThat(packages).allMatch(name -> listed.stream().anyMatch(name::startsWith));
            assertThat(listed).allMatch(prefix -> packages.stream().anyMatch(name -> name.startsWith(prefix)));
        }
    }

    @Test
    void license_isInTheJarAndBesideIt() throws Exception {
        try (JarFile jar =
                new JarFile(HoldfastProcess.DIRECTORY.resolve("holdfast.jar").toFile())) {
            assertThat(text(jar, "META-INF/LICENSE")).contains("Apache License", "Version 2.0");
        }
        assertThat(HoldfastProcess.DIRECTORY.resolve("LICENSE")).isRegularFile();
    }

    private static String text(JarFile jar, String name) throws IOException {
        return new String(jar.getInputStream(jar.getJarEntry(name)).readAllBytes(), StandardCharsets.UTF_8);
    }
}

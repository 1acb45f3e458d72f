package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Kotlin and its coroutines are optional. */
final class WithoutCoroutinesTest {
    private static final String PACKAGE = WithoutCoroutinesTest.class.getPackageName() + ".";
    private static final Path CLASSES = Path.of("target", "classes", PACKAGE.replace('.', '/'));

    /** The JVM links all classes without them, but what runs suspend functions. */
    @Test
    void absent_isNotLoaded() throws Exception {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(CLASSES, "*.class")) {
            files.forEach(file -> names.add(file.getFileName().toString().replace(".class", "")));
        }
        names.removeIf(name -> name.matches("(SuspendedWork|CoroutineHold).*|package-info"));
        assertThat(names).contains("ReactiveCalls", "ReactiveWork$PublishedWork", "LockedRules");
        try (URLClassLoader loader = classPathWithout("kotlin")) {
            for (String name : names) {
                assertThat(Class.forName(PACKAGE + name, true, loader)).isNotNull();
            }
        }
    }

    /** Without Spring's bridge from coroutines to publishers, a suspend function is refused, and the refusal says what is missing. */
    @Test
    void bridgeAbsent_isRefused() throws Exception {
        assertThat(new Refusal().get()).isEqualTo("none");
        try (URLClassLoader loader = classPathWithout("kotlinx-coroutines-reactor")) {
            Supplier<?> refusal = (Supplier<?>)
                    loader.loadClass(Refusal.class.getName()).getConstructor().newInstance();
            assertThat(refusal.get()).asString().contains("suspend", "kotlinx-coroutines-reactor", "kotlin-reflect");
        }
    }

    /** {@return a loader of the same classes, but for libraries with such a name} */
    private static URLClassLoader classPathWithout(String library) {
        URL[] urls = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(path -> !path.getFileName().toString().startsWith(library))
                .map(WithoutCoroutinesTest::url)
                .toArray(URL[]::new);
        return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Why a suspend function is refused. */
    public static final class Refusal implements Supplier<String> {
        @Override
        public String get() {
            Method method = Stream.of(SuspendedService.class.getMethods())
                    .filter(candidate -> candidate.getName().equals("kept"))
                    .findFirst()
                    .orElseThrow();
            LockedMethod locked = new LockedMethods(text -> text, new LockedProperties(null, null, 0))
                    .of(HoldAnnotation.LOCKED, method, SuspendedService.class);
            return Objects.requireNonNullElse(LockedRules.violation(method, locked), "none");
        }
    }
}

package dev.holdfast.consumers;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the POM of a consumer resolves to at run time.
 *
 * @param name the consumer
 * @param classes its own classes
 * @param jars those of its dependencies
 */
record ClassPath(String name, Path classes, List<Path> jars) {
    private static final Pattern NETTY = Pattern.compile(".*/io/netty/netty-[^/]+/([^/]+)/[^/]+");
    private static final Pattern TEST_SCOPE = Pattern.compile(
            ".*/(org/junit|org/assertj|org/awaitility|org/hamcrest|org/mockito|net/bytebuddy|org/testcontainers|org/redisson"
                    + "|com/tngtech|com/github/codemonstur|io/zonky|dev/holdfast/holdfast-testkit)[/-].*");

    static ClassPath of(Path consumer, Path target) throws IOException {
        List<Path> jars = Stream.of(
                        Files.readString(target.resolve("class-path")).trim().split(File.pathSeparator))
                .map(Path::of)
                .toList();
        return new ClassPath(consumer.relativize(target).toString(), target.resolve("classes"), jars);
    }

    /** {@return this without the libraries that a pattern names} */
    ClassPath without(String libraries) {
        Pattern pattern = Pattern.compile("(" + libraries + ")-\\d.*\\.jar");
        List<Path> left = jars.stream()
                .filter(jar -> !pattern.matcher(jar.getFileName().toString()).matches())
                .toList();
        if (left.size() == jars.size()) {
            throw new IllegalStateException(name + " has none of " + libraries);
        }
        return new ClassPath(name, classes, left);
    }

    /** {@return what no consumer should get} */
    List<String> violations() {
        List<String> violations = new ArrayList<>();
        Set<String> versionsOfNetty = new TreeSet<>();
        for (Path jar : jars) {
            String path = jar.toString().replace('\\', '/');
            Matcher netty = NETTY.matcher(path);
            if (netty.matches()) {
                versionsOfNetty.add(netty.group(1));
            }
            if (path.contains("-SNAPSHOT") && !path.contains("/dev/holdfast/")) {
                violations.add(name + " gets a snapshot: " + jar.getFileName());
            }
            if (TEST_SCOPE.matcher(path).matches()) {
                violations.add(name + " gets a library for tests: " + jar.getFileName());
            }
        }
        if (versionsOfNetty.size() > 1) {
            violations.add(name + " gets several versions of Netty: " + versionsOfNetty);
        }
        return violations;
    }

    @Override
    public String toString() {
        return Stream.concat(Stream.of(classes), jars.stream())
                .map(Path::toString)
                .reduce((left, right) -> left + File.pathSeparator + right)
                .orElseThrow();
    }
}

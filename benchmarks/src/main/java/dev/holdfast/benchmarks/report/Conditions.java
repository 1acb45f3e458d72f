package dev.holdfast.benchmarks.report;

import dev.holdfast.benchmarks.workload.Pace;
import io.lettuce.core.LettuceVersion;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.redisson.Redisson;
import org.springframework.integration.redis.util.RedisLockRegistry;

/** The conditions under which the figures were measured. */
public final class Conditions {
    /** The end of the name of a build with changes that no commit names. */
    static final String CHANGED = ", changed";

    private Conditions() {}

    /** {@return the conditions, by name} */
    public static Map<String, String> of(String options, Pace pace, Path repository, String redisVersion) {
        Map<String, String> conditions = new LinkedHashMap<>();
        conditions.put(
                "command",
                "mvn -q -pl benchmarks -am compile exec:exec"
                        + (options.isEmpty() ? "" : " -Dbench.args=\"" + options + "\""));
        conditions.put("build", build(repository));
        conditions.put("date", LocalDate.now(ZoneOffset.UTC).toString());
        conditions.put(
                "machine",
                Runtime.getRuntime().availableProcessors() + " cores, " + memoryGiB() + " GiB, "
                        + System.getProperty("os.name") + " " + System.getProperty("os.arch") + ", loopback");
        conditions.put("JDK", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        conditions.put("Redis", redisVersion);
        conditions.put("Redisson", version(Redisson.class));
        conditions.put("Spring Integration", version(RedisLockRegistry.class));
        conditions.put("Lettuce", LettuceVersion.getVersion());
        conditions.put(
                "rounds",
                pace.rounds() + " of each; " + seconds(pace.warmUp()) + " s of warm-up, " + seconds(pace.window())
                        + " s counted");
        return conditions;
    }

    /** {@return the last commit that has changed what is measured, and whether there are changes since} */
    private static String build(Path repository) {
        List<String> sources = List.of(
                "--",
                ":/core/src/main",
                ":/pubsub/src/main",
                ":/watchdog/src/main",
                ":/pom.xml",
                ":/benchmarks/pom.xml");
        String commit = git(repository, List.of("log", "-1", "--format=%h"), sources);
        if (commit.isEmpty()) {
            throw new IllegalStateException("git prints no commit of " + repository + ", to name the build");
        }
        return commit
                + (git(repository, List.of("status", "--porcelain"), sources).isEmpty() ? "" : CHANGED);
    }

    private static String git(Path repository, List<String> command, List<String> sources) {
        List<String> words = Stream.of(List.of("git", "-C", repository.toString()), command, sources)
                .flatMap(List::stream)
                .toList();
        try {
            Process git = new ProcessBuilder(words).start();
            try (BufferedReader lines = git.inputReader()) {
                return lines.lines().collect(Collectors.joining(" ")).trim();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run git, to name the build", e);
        }
    }

    private static long memoryGiB() {
        long bytes = ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                .getTotalMemorySize();
        return Math.round(bytes / (double) (1L << 30));
    }

    private static String version(Class<?> type) {
        return Objects.toString(type.getPackage().getImplementationVersion(), "unknown");
    }

    private static String seconds(Duration duration) {
        return String.valueOf(duration.toMillis() / 1e3).replaceFirst("\\.0$", "");
    }
}

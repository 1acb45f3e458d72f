package dev.holdfast.benchmarks.report;

import dev.holdfast.benchmarks.workload.Pace;
import dev.holdfast.testkit.PresentBuild;
import io.lettuce.core.LettuceVersion;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.redisson.Redisson;
import org.springframework.integration.redis.util.RedisLockRegistry;

/** The conditions under which the figures were measured. */
public final class Conditions {
    private Conditions() {}

    /** {@return the conditions, by name} */
    public static Map<String, String> of(String options, Pace pace, Path repository, String redisVersion) {
        Map<String, String> conditions = new LinkedHashMap<>();
        conditions.put(
                "command",
                "mvn -q -pl benchmarks -am compile exec:exec"
                        + (options.isEmpty() ? "" : " -Dbench.args=\"" + options + "\""));
        conditions.put("build", PresentBuild.name(repository, "benchmarks/pom.xml"));
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

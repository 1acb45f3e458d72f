package dev.holdfast.benchmarks;

import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.workload.Pace;
import dev.holdfast.benchmarks.workload.Workload;
import dev.holdfast.benchmarks.workload.Workloads;
import dev.holdfast.testkit.EarlierBuild;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The options of a command line.
 *
 * @param workloads the workloads to run, in the order of the report
 * @param systems the systems to measure, in the order of the report; empty for those of each workload
 * @param pace the durations and sizes
 * @param out the directory of the report
 * @param time how long the run may take, which is then continued by the next one; empty to measure everything again
 * @param repository the root of the repository, whose build is measured
 * @param before the class path of an earlier build of Holdfast, to be compared with this one; empty to compare systems
 * @param given the options as they were given, which the report repeats
 */
record Options(
        List<Workload> workloads,
        List<LockSystem> systems,
        Pace pace,
        Path out,
        Optional<Duration> time,
        Path repository,
        Optional<String> before,
        String given) {
    static final String USAGE = """
            --quick            a few seconds for each measurement, one round; the report is in benchmarks/target/report
            --instant          a fraction of a second for each, as a test of the runner; the figures mean nothing
            --only a,b         only these workloads; a name that ends with * selects all with that prefix
            --systems a,b      these systems instead of those of each workload
            --rounds n         how often each system is measured
            --warmup seconds   how long contenders run before the window
            --window seconds   the length of the window, within which they are counted
            --minutes n        ends in time, and continues what the same build has measured into the same directory
            --out directory    the directory of the report, instead of docs/benchmarks
            --before directory compares this build of Holdfast with the jars in there, and no other systems

            directories are relative to the root of the repository
            """;

    private static final List<String> FLAGS = List.of("--quick", "--instant");
    private static final String BEFORE = "--before";
    private static final List<String> WITH_VALUE = List.of(
            "--only",
            "--systems",
            "--rounds",
            "--warmup",
            "--window",
            "--minutes",
            "--out",
            BEFORE,
            Options.REPOSITORY);
    /** Set by the build: the root of the repository, from which directories are resolved. */
    private static final String REPOSITORY = "--repository";

    /**
     * Parses a command line.
     *
     * @throws IllegalArgumentException if an option or a value is unknown, or a value or a jar of the earlier build is
     *     missing
     */
    static Options parse(List<String> arguments) {
        Map<String, String> values = new HashMap<>();
        List<String> given = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String name = arguments.get(i);
            boolean flag = FLAGS.contains(name);
            if (!flag && (!WITH_VALUE.contains(name) || i + 1 == arguments.size())) {
                throw new IllegalArgumentException("unknown or incomplete: " + name + "\n" + USAGE + available());
            }
            String value = flag ? "" : arguments.get(++i);
            values.put(name, value);
            if (!name.equals(REPOSITORY)) {
                given.add((name + " " + value).trim());
            }
        }
        Path repository = Path.of(values.getOrDefault(REPOSITORY, "."));
        boolean published = FLAGS.stream().noneMatch(values::containsKey) && !values.containsKey(BEFORE);
        String usual = published ? "docs/benchmarks" : "benchmarks/target/report";
        return new Options(
                workloads(values.getOrDefault("--only", "*")),
                systems(values.get("--systems") == null ? "" : values.get("--systems")),
                pace(values),
                repository.resolve(values.getOrDefault("--out", usual)).normalize(),
                Optional.ofNullable(values.get("--minutes")).map(Long::valueOf).map(Duration::ofMinutes),
                repository,
                Optional.ofNullable(values.get(BEFORE))
                        .map(directory -> EarlierBuild.classPath(
                                repository.resolve(directory).normalize())),
                String.join(" ", given));
    }

    /** {@return the systems to measure in this workload} */
    List<LockSystem> systems(Workload workload) {
        return systems.isEmpty() ? workload.systems().stream().sorted().toList() : systems;
    }

    private static List<Workload> workloads(String wanted) {
        List<String> patterns = List.of(wanted.split(","));
        List<Workload> chosen = Workloads.all().stream()
                .filter(workload -> patterns.stream().anyMatch(pattern -> matches(pattern, workload.id())))
                .toList();
        for (String pattern : patterns) {
            if (Workloads.all().stream().noneMatch(workload -> matches(pattern, workload.id()))) {
                throw new IllegalArgumentException("there is no workload " + pattern + "\n" + available());
            }
        }
        return chosen;
    }

    private static boolean matches(String pattern, String id) {
        return pattern.endsWith("*") ? id.startsWith(pattern.substring(0, pattern.length() - 1)) : id.equals(pattern);
    }

    private static List<LockSystem> systems(String wanted) {
        return wanted.isEmpty()
                ? List.of()
                : Stream.of(wanted.split(",")).map(LockSystem::of).sorted().toList();
    }

    private static Pace pace(Map<String, String> values) {
        Pace pace =
                values.containsKey("--instant") ? Pace.INSTANT : values.containsKey("--quick") ? Pace.QUICK : Pace.FULL;
        for (Map.Entry<String, String> entry : values.entrySet()) {
            pace = switch (entry.getKey()) {
                case "--rounds" -> pace.withRounds(Integer.parseInt(entry.getValue()));
                case "--warmup" -> pace.withWarmUp(seconds(entry.getValue()));
                case "--window" -> pace.withWindow(seconds(entry.getValue()));
                default -> pace;
            };
        }
        return pace;
    }

    private static Duration seconds(String text) {
        return Duration.ofMillis(Math.round(1_000 * Double.parseDouble(text)));
    }

    private static String available() {
        return "workloads: "
                + String.join(" ", Workloads.all().stream().map(Workload::id).toList())
                + "\nsystems:   "
                + String.join(
                        " ", Stream.of(LockSystem.values()).map(LockSystem::id).toList());
    }
}

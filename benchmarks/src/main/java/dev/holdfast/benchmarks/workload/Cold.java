package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.cold.ColdJvm;
import dev.holdfast.benchmarks.cold.ColdJvm.Sample;
import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.system.LockSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A fresh process that locks for the first time.
 *
 * @param archived whether its classes come from an archive of the JDK's class-data sharing
 */
record Cold(boolean archived) implements Workload {
    /** The acquisitions of each stage whose figures are those of one acquisition; the last stage has only a median time. */
    private static final List<Integer> EACH = List.of(1, 1, 9, 90);

    private static final List<Metric> TIMES =
            List.of(Metric.COLD_CONNECT, Metric.COLD_FIRST, Metric.COLD_NEXT_9, Metric.COLD_NEXT_90, Metric.COLD_PACED);
    private static final List<Metric> CPU = List.of(
            Metric.COLD_CONNECT_CPU,
            Metric.COLD_FIRST_CPU,
            Metric.COLD_NEXT_9_CPU,
            Metric.COLD_NEXT_90_CPU,
            Metric.COLD_PACED_CPU);

    /** The commands that were prepared, by system, class path and server, which has the scripts since. */
    private static final Map<List<Object>, ColdJvm> PREPARED = new ConcurrentHashMap<>();

    @Override
    public String id() {
        return "cold-1" + (archived ? "-archive" : "");
    }

    @Override
    public String title() {
        return "The first lock of a process" + (archived ? ", classes from an archive" : "");
    }

    @Override
    public String description() {
        return "A fresh JVM for each sample, "
                + (archived
                        ? "with no JVM options but an archive of the classes that it needs (-XX:SharedArchiveFile, made"
                                + " by -XX:ArchiveClassesAtExit)"
                        : "without JVM options")
                + ". One thread connects, acquires and releases one lock, does so 9 times, and 90 times"
                + (archived ? "" : ", and then 20 times a second for 5 s")
                + ". Times are those of one acquisition with its release. The class path has only the jars"
                + " that the system uses, whose scripts the server has already. Processor time is that of all threads,"
                + " read by another process while this one waits between two stages, which costs less than 0.1 ms.";
    }

    @Override
    public Set<LockSystem> systems() {
        return Set.of(LockSystem.HOLDFAST, LockSystem.REDISSON, LockSystem.SPRING, LockSystem.FLOOR);
    }

    @Override
    public Metric headline() {
        return Metric.COLD_FIRST;
    }

    @Override
    public int rounds(Pace pace) {
        return pace.coldStarts();
    }

    @Override
    public Optional<String> obstacle(LockSystem system) {
        return systems().contains(system) ? Optional.empty() : Optional.of("it starts as another one");
    }

    @Override
    public Figures measure(LockSystem system, Site site) throws IOException {
        String uri = site.server().uri();
        ColdJvm jvm = PREPARED.computeIfAbsent(
                List.of(system, site.classPath(), uri), key -> prepare(system, site.classPath(), uri));
        int paced = archived ? 0 : site.pace().pacedLocks();
        ServerCounters before = ServerCounters.of(site.server());
        Sample sample = jvm.run(uri, paced, archived);
        double scripts = ServerCounters.of(site.server()).minus(before).scripts();
        Figures figures = new Figures().put(Metric.SCRIPTS, scripts / (1 + 9 + 90 + paced));
        for (int stage = 0; stage < (paced == 0 ? EACH.size() : TIMES.size()); stage++) {
            boolean last = stage == EACH.size();
            figures.put(TIMES.get(stage), sample.nanos().get(stage) / 1e6 / (last ? 1 : EACH.get(stage)));
            figures.put(CPU.get(stage), sample.cpuNanos().get(stage) / 1e6 / (last ? paced : EACH.get(stage)));
        }
        return figures;
    }

    private static ColdJvm prepare(LockSystem system, String classPath, String uri) {
        try {
            Path directory = Files.createTempDirectory("holdfast-cold-");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> Site.delete(directory), "cold-cleanup"));
            return ColdJvm.prepare(system, classPath, uri, directory);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot prepare a cold start", e);
        }
    }
}

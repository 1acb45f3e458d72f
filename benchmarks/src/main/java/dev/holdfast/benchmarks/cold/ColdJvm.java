package dev.holdfast.benchmarks.cold;

import dev.holdfast.benchmarks.system.LockSystem;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command that starts {@link ColdStart} for one system: a class path of jars, and of those alone from which the
 * system has loaded a class in a run before, so that no class is looked up in the jars of the others; and an archive
 * of the classes that it has loaded.
 *
 * @param system the system
 * @param classPath its class path
 * @param archive the archive of its classes
 */
public record ColdJvm(LockSystem system, String classPath, Path archive) {
    private static final int STAGES = 5;
    private static final long LONGEST_SECONDS = 60;
    private static final Pattern SOURCE = Pattern.compile("source: (file:\\S+\\.jar)");

    /**
     * The time and the processor time of the stages: the connect, the first acquisition and release, the next 9, the next 90, and the
     * paced ones; of the last, the time is the median.
     */
    public record Sample(List<Double> nanos, List<Double> cpuNanos) {}

    /**
     * Runs the system twice: to see which jars it uses, and to write the archive.
     *
     * @param classPath the class path of a worker; directories are packed, since an archive is only of jars
     * @param directory where the files are, for as long as the command is used
     */
    public static ColdJvm prepare(LockSystem system, String classPath, String uri, Path directory) throws IOException {
        List<String> jars = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (Files.isDirectory(path)) {
                Path jar = directory.resolve(jars.size() + ".jar");
                Jars.pack(path, jar);
                jars.add(jar.toString());
            } else if (Files.exists(path)) {
                jars.add(path.toAbsolutePath().normalize().toString());
            }
        }
        Path log = directory.resolve("loaded");
        new ColdJvm(system, String.join(File.pathSeparator, jars), directory.resolve("none"))
                .run(uri, 0, "-Xlog:class+load:file=" + log);
        Set<String> used = SOURCE.matcher(Files.readString(log))
                .results()
                .map((MatchResult found) -> Path.of(URI.create(found.group(1))).toString())
                .collect(Collectors.toSet());
        ColdJvm jvm = new ColdJvm(
                system,
                jars.stream().filter(used::contains).collect(Collectors.joining(File.pathSeparator)),
                directory.resolve("classes.jsa"));
        jvm.run(uri, 0, "-XX:ArchiveClassesAtExit=" + jvm.archive);
        return jvm;
    }

    /**
     * Runs the system in a fresh process.
     *
     * @param archived whether its classes come from the archive, without which the process then fails
     * @param paced the number of acquisitions of the last stage
     */
    public Sample run(String uri, int paced, boolean archived) throws IOException {
        return archived ? run(uri, paced, "-Xshare:on", "-XX:SharedArchiveFile=" + archive) : run(uri, paced);
    }

    private Sample run(String uri, int paced, String... options) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", classPath, ColdStart.class.getName(), system.id(), uri, "" + paced));
        Path errors = archive.resolveSibling("errors");
        Process process =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        CompletableFuture.delayedExecutor(LONGEST_SECONDS, TimeUnit.SECONDS).execute(process::destroyForcibly);
        try (BufferedReader replies = process.inputReader(StandardCharsets.UTF_8);
                Writer orders = process.outputWriter(StandardCharsets.UTF_8)) {
            double[] cpu = new double[STAGES + 1];
            for (int i = 0; i <= STAGES; i++) {
                String line = replies.readLine();
                if (!"".equals(line)) {
                    throw failed(Objects.toString(line, "no reply"), errors);
                }
                cpu[i] = cpuNanos(process.pid());
                orders.write('\n');
                orders.flush();
            }
            List<String> last = replies.lines().toList();
            if (process.onExit().join().exitValue() != 0) {
                throw failed(String.join(" ", last), errors);
            }
            List<Double> nanos =
                    Stream.of(last.get(0).split(" ", -1)).map(Double::valueOf).toList();
            List<Double> cpuNanos = new ArrayList<>();
            for (int i = 0; i < STAGES; i++) {
                cpuNanos.add(cpu[i + 1] - cpu[i]);
            }
            return new Sample(nanos, cpuNanos);
        } finally {
            process.destroyForcibly();
        }
    }

    private static IllegalStateException failed(String reason, Path errors) throws IOException {
        return new IllegalStateException("the process failed: " + reason + "; " + Files.readString(errors));
    }

    /** {@return the processor time of all threads of a process, to the nanosecond; that of the process is in ticks of 10 ms} */
    private static double cpuNanos(long process) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process), "task"))) {
            return threads.mapToDouble(ColdJvm::ofThread).sum();
        }
    }

    private static double ofThread(Path thread) {
        try {
            return Double.parseDouble(
                    Files.readString(thread.resolve("schedstat")).split(" ", 2)[0]);
        } catch (IOException ended) {
            return 0;
        }
    }
}

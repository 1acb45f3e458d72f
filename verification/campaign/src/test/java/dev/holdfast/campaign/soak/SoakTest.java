package dev.holdfast.campaign.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.campaign.run.BrokenScripts;
import dev.holdfast.campaign.run.Ending;
import dev.holdfast.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Short soaks, with seconds in place of minutes. */
@Tag("slow")
@Tag("harness")
class SoakTest {
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    /** How many samples have a trend. */
    private static final int SAMPLES = 2;

    private final Path directory;
    private final List<String> output = new ArrayList<>();

    SoakTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private Ending run(int minutes, long seed, boolean faults, String classPath) {
        return run(minutes, seed, faults, classPath, "1234567");
    }

    private Ending run(int minutes, long seed, boolean faults, String classPath, String build) {
        Pace pace = new Pace(
                Duration.ofMillis(800),
                Duration.ofMillis(200),
                Duration.ofSeconds(3),
                Duration.ofMillis(100),
                faults,
                SAMPLES);
        SoakOptions options = new SoakOptions(minutes, false, seed, directory, directory, Optional.empty());
        return new Soak(options, pace, output::add, classPath, build).run();
    }

    /** A soak under faults continues the one in its directory, and plays nothing if that is over; not one of another seed or build. */
    @Test
    void run_continued() {
        assertThat(run(1, 1, true, CLASS_PATH)).as(text()).isEqualTo(Ending.UNDECIDED);
        assertThat(run(2, 1, true, CLASS_PATH)).as(text()).isEqualTo(Ending.UNDECIDED);
        assertThat(run(2, 1, true, "")).as(text()).isEqualTo(Ending.UNDECIDED);

        List<Entry> entries = new SoakJournal(directory.resolve("soak.journal")).read();
        assertThat(entries).filteredOn(Entry.Leg.class::isInstance).hasSize(2);
        assertThat(entries)
                .filteredOn(Entry.Minute.class::isInstance)
                .extracting(minute -> ((Entry.Minute) minute).number())
                .containsExactly(0, 1);
        assertThat(entries).filteredOn(Entry.Violation.class::isInstance).isEmpty();
        assertThatThrownBy(() -> run(2, 2, true, CLASS_PATH)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> run(3, 1, true, CLASS_PATH, "7654321"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("build=1234567", "7654321");
    }

    /** Processes that keep some bytes of each turn, and a script that leaves a key for each name, are seen by their trends. */
    @Test
    void run_leaks() throws IOException {
        Path jar = new BrokenScripts(directory)
                .pack(
                        List.of("release.lua"),
                        "local channel, publish =",
                        "redis.call('SET', 'redisson_lock_token:left:' .. KEYS[1], 1); local channel, publish =");
        String classPath = leaking() + ":" + jar + ":" + CLASS_PATH;

        assertThat(run(2 * SAMPLES, 1, false, classPath)).as(text()).isEqualTo(Ending.VIOLATED);

        Judgement judgement = Judgement.of(new SoakJournal(directory.resolve("soak.journal")).read(), SAMPLES);
        assertThat(judgement.violations())
                .as(text())
                .anyMatch(violation -> violation.startsWith("process 1/3.0: heap"))
                .anyMatch(violation -> violation.startsWith("servers 1: keys"))
                .noneMatch(violation -> violation.startsWith("minute"));
    }

    /** A leg whose processes do not open is one as well, so that the next one has another log; that they ended is a violation. */
    @Test
    void run_notOpened() {
        assertThat(run(1, 1, true, "")).as(text()).isEqualTo(Ending.VIOLATED);

        List<Entry> entries = new SoakJournal(directory.resolve("soak.journal")).read();
        assertThat(entries).hasSize(2).hasAtLeastOneElementOfType(Entry.Leg.class);
        assertThat(entries.get(1))
                .isInstanceOfSatisfying(Entry.Violation.class, violation -> assertThat(violation.what())
                        .singleElement()
                        .asString()
                        .contains("the process has ended"));
    }

    /** A process that has failed is not killed as if nothing had been: what it reported is a violation. */
    @Test
    void kill_failedBefore() {
        SoakWorker worker = SoakWorker.start(CLASS_PATH, directory.resolve("workers.log"), new Progress(1));
        worker.send(new SoakOrder.Open(0, "no URI", 3_000, 100));
        Eventually.await().until(() -> ProcessHandle.current().children().noneMatch(ProcessHandle::isAlive));

        assertThatThrownBy(worker::kill).isInstanceOf(BrokenException.class).hasMessageContaining("redisUri must");
    }

    /** {@return the directory of a class that keeps what it has to free} */
    private Path leaking() throws IOException {
        String source = Files.readString(Path.of("src/main/java/dev/holdfast/campaign/soak/Reports.java"));
        String correct = "long from = System.nanoTime();";
        assertThat(source).contains(correct);
        Path broken = Files.writeString(
                directory.resolve("Reports.java"),
                source.replace(correct, "KEPT.add(new byte[30_000]);" + correct)
                        .replace(
                                "private final Kind kind;",
                                "private static final java.util.Queue<byte[]> KEPT ="
                                        + " new java.util.concurrent.ConcurrentLinkedQueue<>();"
                                        + " private final Kind kind;"));
        int status = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-cp", CLASS_PATH, "-d", directory.toString(), broken.toString());
        assertThat(status).isZero();
        return directory;
    }

    private String text() {
        return String.join("\n", output);
    }
}

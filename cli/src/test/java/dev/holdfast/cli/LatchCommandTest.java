package dev.holdfast.cli;

import static dev.holdfast.cli.ProcessWait.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedCountDownLatch;
import dev.holdfast.Holdfast;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code holdfast latch}, beside a client of the library. */
@TestInstance(Lifecycle.PER_CLASS)
final class LatchCommandTest {
    private static final Pattern SCRIPTS_RUN = Pattern.compile("cmdstat_eval[a-z_]*:calls=(\\d+)");

    private final RedisServer server = RedisServer.builder().start();
    private final Holdfast other = Holdfast.connect(server.uri());
    private final DistributedCountDownLatch latch = other.getCountDownLatch("import");

    @BeforeEach
    void clear() {
        server.command("FLUSHALL");
    }

    @AfterAll
    void stop() {
        other.close();
        server.close();
    }

    private Invocation run(String... words) {
        return Invocation.start(server.uri(), words);
    }

    private int code(String... words) {
        Invocation run = run(words);
        int code = run.exitCode();
        assertThat(run.out()).isEmpty();
        return code;
    }

    /** {@return one that has looked at the count} Its script is in Redis already. */
    private Invocation waiting() {
        assertThat(run("latch", "wait", "--wait", "0", "import").exitCode()).isEqualTo(75);
        long before = scriptsRun();
        Invocation waiting = run("latch", "wait", "import");
        eventually(() -> scriptsRun() > before);
        return waiting;
    }

    private long scriptsRun() {
        String statistics = String.valueOf(server.command("INFO", "commandstats"));
        return SCRIPTS_RUN
                .matcher(statistics)
                .results()
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .sum();
    }

    /** The first one that sets the count does so, and each counts down its part; then whoever waits goes on. */
    @Test
    void latch_opens() {
        assertThat(code("latch", "set", "import", "3")).isZero();
        assertThat(code("latch", "set", "import", "5")).isZero();
        assertThat(latch.getCount()).isEqualTo(3);
        Invocation waiting = waiting();

        assertThat(code("latch", "down", "import", "2")).isZero();
        assertThat(waiting.isRunning()).isTrue();
        assertThat(code("latch", "down", "import")).isZero();
        assertThat(waiting.exitCode()).isZero();
        assertThat(waiting.err()).isEmpty();
    }

    /** Without a count it is open. */
    @Test
    void wait_withoutCount() {
        assertThat(code("latch", "wait", "import")).isZero();
        assertThat(code("latch", "down", "import")).isZero();
    }

    /** The wait ends without the latch: its time is over, or a signal came, or the count is gone. */
    @Test
    void wait_endsBefore() {
        assertThat(latch.trySetCount(1)).isTrue();
        Invocation brief = run("latch", "wait", "--wait", "0", "import");
        assertThat(brief.exitCode()).isEqualTo(75);
        assertThat(brief.err()).isEqualTo("holdfast: latch 'import' has not been counted down to zero\n");

        Invocation signalled = waiting();
        signalled.signal(SignalName.TERM);
        assertThat(signalled.exitCode()).isEqualTo(128 + 15);

        Invocation waiting = waiting();
        assertThat(latch.delete()).isTrue();
        assertThat(waiting.exitCode()).isEqualTo(70);
        assertThat(waiting.err()).contains("import").contains("deleted");
    }

    /** After its lifetime the count is gone. */
    @Test
    void set_lifetime() {
        assertThat(code("latch", "set", "--lifetime", "1h", "import", "1")).isZero();
        assertThat((Long) server.command("PTTL", "import"))
                .isBetween(
                        Duration.ofMinutes(50).toMillis(), Duration.ofHours(1).toMillis());
    }

    /** What is wrong is named before Redis is asked. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "latch | latch needs set|down|wait: holdfast latch",
                "latch open import | latch needs set, down or wait, was 'open'",
                "latch set import | latch set needs COUNT: holdfast latch",
                "latch set import 0 | COUNT must be a positive number, was '0'",
                "latch down import few | COUNT must be a positive number, was 'few'",
                "latch wait import 1 | latch wait takes no COUNT",
                "latch down --wait 1s import | latch down has no option --wait",
                "latch wait --lifetime 1h import | latch wait has no option --lifetime",
            })
    void wrong_isRefused(String words, String message) {
        Invocation run = Invocation.start("redis://localhost:1", words.split(" ", -1));
        assertThat(run.exitCode()).isEqualTo(64);
        assertThat(run.err()).startsWith("holdfast: " + message);
    }
}

package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGQUIT, of which only what Java writes tells. */
final class ThreadDumpsTest {
    private static final String DUMP =
            "2026-11-26 08:27:30\nFull thread dump OpenJDK 64-Bit Server VM (17.0.15):\n\n\"main\" #1\n";

    private final Deque<InputStream> written = new ArrayDeque<>();

    /** Has an end, after which more can be written. */
    private final ThreadDumps dumps = new ThreadDumps(new InputStream() {
        @Override
        public int read() {
            throw new AssertionError("it is read in portions");
        }

        @Override
        public int read(byte[] to, int from, int length) throws IOException {
            return written.isEmpty() ? -1 : written.removeFirst().read(to, from, length);
        }
    });

    private int begunAfter(String... portions) throws IOException {
        for (String portion : portions) {
            written.add(new ByteArrayInputStream(portion.getBytes(StandardCharsets.UTF_8)));
        }
        return dumps.begun();
    }

    @Test
    void eachDumpCountsOnce() throws IOException {
        assertThat(begunAfter("<?xml version='1.0'?>\n<tty>\n")).isZero();
        assertThat(begunAfter(DUMP)).isEqualTo(1);
        assertThat(begunAfter()).isZero();
        assertThat(begunAfter(DUMP, DUMP)).isEqualTo(2);
    }

    /** A dump that is being written counts when its first line is there. */
    @Test
    void dumpInPortions() throws IOException {
        assertThat(begunAfter("Full thr")).isZero();
        assertThat(begunAfter("ead dump OpenJDK")).isZero();
        assertThat(begunAfter("\nFull")).isEqualTo(1);
        assertThat(begunAfter(" thread dump \n")).isEqualTo(1);
    }

    /** The name of a thread is not taken for a dump. */
    @Test
    void otherLinesDoNotCount() throws IOException {
        assertThat(begunAfter("\"Full thread dump \" #12 daemon\n  Full thread dump \n"))
                .isZero();
    }

    /** What cannot be read is reported by one line, and no signal. */
    @Test
    void unreadable_isSaid(@TempDir Path directory) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console = new Console(Map.of(), System.out, new PrintStream(err, true, StandardCharsets.UTF_8));
        Path file = directory.resolve("none");

        ThreadDumps.watch(
                file,
                () -> {
                    throw new AssertionError("there is no dump");
                },
                console);

        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("holdfast: SIGQUIT is not passed on: cannot read " + file + "\n");
    }
}

package dev.holdfast.watchdog;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Captures what is logged while it is open, instead of printing it to the console. */
final class CapturedLog implements AutoCloseable {
    private final PrintStream console = System.err;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    CapturedLog() {
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }

    List<String> warnings() {
        return bytes.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains(" WARN "))
                .toList();
    }

    @Override
    public void close() {
        System.setErr(console);
    }
}

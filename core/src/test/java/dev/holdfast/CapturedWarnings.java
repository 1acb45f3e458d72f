package dev.holdfast;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Captures the warnings that are logged while it is open, instead of printing them to the console. */
public final class CapturedWarnings implements AutoCloseable {
    private final PrintStream console = System.err;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    public CapturedWarnings() {
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }

    /** {@return the warnings logged by this class} */
    public List<String> of(Class<?> logger) {
        return text().lines()
                .filter(line -> line.contains(" WARN " + logger.getName() + " "))
                .toList();
    }

    /** {@return everything that was logged, including stack traces} */
    public String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        System.setErr(console);
    }
}

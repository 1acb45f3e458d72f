package dev.holdfast.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The time since the machine was started, in hundredths of a second: a clock that all its processes can read. */
final class BootClock {
    private static final Path FILE = Path.of("/proc/uptime");

    private BootClock() {}

    /** {@return whether this platform has it} */
    static boolean exists() {
        return Files.isReadable(FILE);
    }

    static Duration now() {
        try {
            String text = Files.readString(FILE, StandardCharsets.US_ASCII);
            return Duration.parse("PT" + text.substring(0, text.indexOf(' ')) + "S");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + FILE, e);
        }
    }
}

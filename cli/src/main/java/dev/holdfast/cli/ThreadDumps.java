package dev.holdfast.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Detects SIGQUIT, which Java does not let a program handle: it dumps its threads instead, and refuses a handler, with
 * {@code -Xrs} as well, which takes the handlers of the other signals too. So the start script has Java write the dumps to a
 * file without a name, as the descriptor that a property names; each dump in there is a SIGQUIT. There is no event when the file
 * grows, so its length is polled.
 */
final class ThreadDumps {
    /** Names what can be opened to read the output of the virtual machine; absent where a program cannot have it. */
    private static final String PROPERTY = "holdfast.vm.output";

    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final String FIRST_LINE = "Full thread dump ";

    private final InputStream output;
    private final byte[] portion = new byte[1 << 13];

    /** What has been read of a line whose end has not. */
    private final StringBuilder line = new StringBuilder();

    /** @param output whose end is not final: more can be read after it when more was written */
    ThreadDumps(InputStream output) {
        this.output = output;
    }

    /** Runs the action for each dump, on a thread of its own; for none where a program cannot have the output. */
    static void watch(Runnable action, Console console) {
        String file = System.getProperty(PROPERTY);
        if (file == null) {
            return;
        }
        Thread watching = new Thread(() -> watch(Path.of(file), action, console), "thread dumps");
        watching.setDaemon(true);
        watching.start();
    }

    static void watch(Path file, Runnable action, Console console) {
        try (InputStream output = Files.newInputStream(file)) {
            ThreadDumps dumps = new ThreadDumps(output);
            while (!Thread.currentThread().isInterrupted()) {
                for (int news = dumps.begun(); news > 0; news--) {
                    action.run();
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        } catch (IOException e) {
            console.say("SIGQUIT is not passed on: cannot read " + file);
        }
    }

    /** {@return how many dumps have begun since the last call} */
    int begun() throws IOException {
        int count = 0;
        for (int length = output.read(portion); length > 0; length = output.read(portion)) {
            for (String part : new String(portion, 0, length, StandardCharsets.ISO_8859_1).split("(?<=\n)", -1)) {
                line.append(part);
                if (part.endsWith("\n")) {
                    count += line.indexOf(FIRST_LINE) == 0 ? 1 : 0;
                    line.setLength(0);
                }
            }
        }
        return count;
    }
}

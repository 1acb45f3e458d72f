package dev.holdfast.campaign.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The log output of the worker processes, and the unexpected messages in it: an uncaught exception, an error, a
 * callback that threw, a stack trace through the library's own code. Messages of drivers about a broken network and
 * messages about lost leases are expected.
 */
public final class WorkersLog {
    private static final Pattern UNWANTED = Pattern.compile(String.join(
            "|",
            "^Exception in thread .*",
            "^Exception: \\S+ thrown from the UncaughtExceptionHandler.*",
            "^\\S+ \\[.*] ERROR (?!org\\.redisson)\\S+ - .*",
            "^\\S+ \\[.*] WARN dev\\.holdfast\\.\\S+ - .* threw$",
            "^\\S+ \\[.*] WARN io\\.netty\\.util\\.\\S+ - .*"));

    private static final Pattern FRAME =
            Pattern.compile("^\\s+at .*|^\\s+\\.\\.\\. \\d+ .*|^\\s*(Caused by|Suppressed): .*");
    private static final String OUR_FRAME = "\tat dev.holdfast.";

    private final Path file;
    private int read;

    public WorkersLog(Path file) {
        this.file = file;
    }

    public Path file() {
        return file;
    }

    /** {@return the unexpected messages since the last call} An incomplete last line is left to the next call. */
    public List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        String head = "";
        boolean reported = false;
        for (String line : newLines()) {
            boolean frame = FRAME.matcher(line).matches();
            if (!frame) {
                head = line;
                reported = UNWANTED.matcher(line).matches();
                if (reported) {
                    complaints.add("logged: " + line);
                }
            } else if (!reported && line.startsWith(OUR_FRAME)) {
                complaints.add("logged: " + head + line.replace('\t', ' '));
                reported = true;
            }
        }
        return complaints;
    }

    private List<String> newLines() {
        try {
            String text = Files.readString(file, StandardCharsets.UTF_8);
            int end = text.lastIndexOf('\n') + 1;
            List<String> lines = text.substring(read, end).lines().toList();
            read = end;
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }
}

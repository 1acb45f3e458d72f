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
 * What the processes of a run write besides their answers, and in it what nobody should ever see: an exception that nobody
 * caught, an error, a callback that threw, and a stack trace that goes through our code. What a broken network makes drivers
 * say, and that leases are lost, belongs there.
 */
final class WorkersLog {
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

    WorkersLog(Path file) {
        this.file = file;
    }

    Path file() {
        return file;
    }

    /** {@return what was written since the last look and should not have been} A line that is not ended yet waits for the next. */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        String head = "";
        boolean told = false;
        for (String line : news()) {
            boolean frame = FRAME.matcher(line).matches();
            if (!frame) {
                head = line;
                told = UNWANTED.matcher(line).matches();
                if (told) {
                    complaints.add("logged: " + line);
                }
            } else if (!told && line.startsWith(OUR_FRAME)) {
                complaints.add("logged: " + head + line.replace('\t', ' '));
                told = true;
            }
        }
        return complaints;
    }

    private List<String> news() {
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

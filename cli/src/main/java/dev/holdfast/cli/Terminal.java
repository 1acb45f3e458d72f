package dev.holdfast.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The terminal of a process. */
final class Terminal {
    private static final Pattern SPACE = Pattern.compile(" ");
    private static final Path STAT = Path.of("/proc/self/stat");

    private Terminal() {}

    /**
     * {@return whether an interrupt typed at the terminal reaches this process, and so its children as well} False where
     * it cannot be found out.
     */
    static boolean interruptsThisProcess() {
        try {
            return Files.exists(STAT) && isForeground(Files.readString(STAT, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * {@return whether the process is in the foreground of a terminal} After the program's name, in parentheses, the
     * fields are its state, its parent, its process group, its session, its terminal, and the group in the foreground of
     * that.
     */
    static boolean isForeground(String stat) {
        List<String> fields = SPACE.splitAsStream(
                        stat.substring(stat.lastIndexOf(')') + 1).strip())
                .toList();
        String group = fields.get(2);
        String terminal = fields.get(4);
        String foreground = fields.get(5);
        return !terminal.equals("0") && foreground.equals(group);
    }
}

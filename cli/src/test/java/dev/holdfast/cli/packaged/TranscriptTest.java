package dev.holdfast.cli.packaged;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.RedisServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The transcripts in the README of this module: the commands are run, and print what is written there. */
@Tag("slow")
final class TranscriptTest {
    private static final Pattern BLOCK = Pattern.compile("```console\n(.*?)```", Pattern.DOTALL);

    /** What differs from run to run: ids, points in time, durations, and the numbers of owners and tokens. */
    private static final Pattern VARYING = Pattern.compile(
            "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}:-?\\d+|\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z|\\d+\\.\\d s|\\d{10,}|\\d+ ms");

    private final Path directory;

    TranscriptTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /** Each block is one session of a shell, with a Redis of its own. */
    @Test
    void transcripts_areTrue() throws Exception {
        Matcher blocks = BLOCK.matcher(Files.readString(Path.of("README.md")));
        int count = 0;
        while (blocks.find()) {
            count++;
            try (RedisServer server = RedisServer.builder().start()) {
                List<String> written = blocks.group(1).lines().toList();
                assertThat(normalized(run(server, written))).isEqualTo(normalized(written));
            }
        }
        assertThat(count).isEqualTo(2);
    }

    private static List<String> normalized(List<String> lines) {
        return lines.stream()
                .map(line ->
                        line.startsWith("$ ") ? line : VARYING.matcher(line).replaceAll("*"))
                .toList();
    }

    /** {@return the commands, each followed by what it prints on either stream} */
    private List<String> run(RedisServer server, List<String> transcript) throws IOException {
        StringBuilder script = new StringBuilder();
        for (String line : transcript) {
            if (line.startsWith("$ ")) {
                script.append("cat <<'LINE'\n")
                        .append(line)
                        .append("\nLINE\n")
                        .append(line.substring(2))
                        .append('\n');
            }
        }
        Path file = Files.writeString(directory.resolve("session"), script);
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", file.toString())
                .redirectErrorStream(true)
                .directory(directory.toFile());
        HoldfastProcess.configure(builder.environment(), server.uri());
        builder.environment().merge("PATH", HoldfastProcess.DIRECTORY.toString(), (path, own) -> own + ":" + path);
        Process shell = builder.start();
        try {
            String printed = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new ArrayList<>(printed.lines().toList());
        } finally {
            shell.descendants().forEach(ProcessHandle::destroyForcibly);
            shell.destroyForcibly();
        }
    }
}

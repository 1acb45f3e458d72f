package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The help and the man page, which are made from the tables. */
@Tag("pure")
final class TablesTest {
    /**
     * The man page in the repository is that of the tables. If they were changed on purpose, copy
     * {@code target/holdfast.1} over it.
     */
    @Test
    void manPage_isUpToDate() throws IOException {
        Files.createDirectories(Path.of("target"));
        Files.writeString(Path.of("target/holdfast.1"), ManPage.text());

        assertThat(Files.readString(Path.of("src/main/dist/holdfast.1"))).isEqualTo(ManPage.text());
    }

    /** Every command, option, variable and exit code is in the help and in the man page, and no line is too wide. */
    @Test
    void tables_areComplete() {
        String page = ManPage.text();
        for (Command command : Command.values()) {
            assertThat(Help.overview()).contains(command.summary());
            assertThat(page).contains(".SS " + command.word() + "\n");
            for (Option option : command.options()) {
                assertThat(Help.of(command)).contains("  " + option.synopsis() + "\n");
                assertThat(page).contains(".B " + option.synopsis().replace("-", "\\-") + "\n");
            }
            assertThat(Help.of(command).lines())
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        }
        Stream.of(Variable.values())
                .forEach(variable -> assertThat(Help.overview()).contains(variable.word()));
        Stream.of(ExitCode.values()).forEach(code -> assertThat(page).contains(".B " + code.code() + "\n"));
    }

    /** No two options have the same name, and each option belongs to a command. */
    @Test
    void options_areDistinctAndUsed() {
        assertThat(Stream.of(Option.values()).flatMap(option -> option.names().stream()))
                .doesNotHaveDuplicates();
        assertThat(Option.values())
                .allMatch(option -> Stream.of(Command.values()).anyMatch(command -> command.takes(option)));
    }
}

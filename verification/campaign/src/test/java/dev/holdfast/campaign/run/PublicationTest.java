package dev.holdfast.campaign.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.campaign.schedule.Theme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The place of a report in a file. */
class PublicationTest {
    private static final String PAGE = """
            before
            <!-- campaign on Redis 7: what a run wrote begins here -->
            old
            <!-- campaign on Redis 7: what a run wrote ends here -->
            between
            <!-- campaign on Redis 6: what a run wrote begins here -->
            other
            <!-- campaign on Redis 6: what a run wrote ends here -->
            <!-- campaign on Redis 7, cluster: what a run wrote begins here -->
            slots
            <!-- campaign on Redis 7, cluster: what a run wrote ends here -->
            """;

    private final Path page;

    PublicationTest(@TempDir Path directory) throws IOException {
        page = Files.writeString(directory.resolve("page.md"), PAGE);
    }

    /** A report replaces the previous one about the same server, and nothing else. */
    @Test
    void write_replaces() {
        for (int twice = 0; twice < 2; twice++) {
            Publication.in(page, "7.0.15", Optional.empty()).write(List.of("new", "lines"));

            assertThat(page).hasContent(PAGE.replace("\nold\n", "\n\nnew\nlines\n\n"));
        }
    }

    /** A run of rounds of one theme has a place of its own. */
    @Test
    void write_ofATheme() {
        Publication.in(page, "7.0.15", Optional.of(Theme.CLUSTER)).write(List.of("new", "lines"));

        assertThat(page).hasContent(PAGE.replace("\nslots\n", "\n\nnew\nlines\n\n"));
    }

    /** A file without a place for the server is rejected before anything is written. */
    @Test
    void in_noPlace() {
        assertThatThrownBy(() -> Publication.in(page, "8.0.1", Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Redis 8");
    }
}

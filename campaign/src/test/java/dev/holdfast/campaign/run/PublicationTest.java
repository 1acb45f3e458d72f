package dev.holdfast.campaign.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A report in its place. */
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
            """;

    /** It replaces the one before it, of the same server, and nothing else. */
    @Test
    void withReport_replaces() {
        String published = Publication.withReport(PAGE, "Redis 7", List.of("new", "lines"));

        assertThat(published).isEqualTo(PAGE.replace("\nold\n", "\n\nnew\nlines\n\n"));
        assertThat(Publication.withReport(published, "Redis 7", List.of("new", "lines")))
                .isEqualTo(published);
    }

    /** A page without a place for the server is refused. */
    @Test
    void withReport_noPlace() {
        assertThatThrownBy(() -> Publication.withReport(PAGE, "Redis 8", List.of()))
                .isInstanceOf(IllegalStateException.class);
    }
}

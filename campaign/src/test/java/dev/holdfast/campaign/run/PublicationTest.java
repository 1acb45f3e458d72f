package dev.holdfast.campaign.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A report in its place. */
class PublicationTest {
    /** It replaces the one before it, and nothing else. */
    @Test
    void withReport_replaces() {
        String page = "before\n" + Publication.BEGIN + "\n\nold\n\n" + Publication.END + "\nafter\n";

        String published = Publication.withReport(page, List.of("new", "lines"));

        assertThat(published)
                .isEqualTo("before\n" + Publication.BEGIN + "\n\nnew\nlines\n\n" + Publication.END + "\nafter\n");
        assertThat(Publication.withReport(published, List.of("new", "lines"))).isEqualTo(published);
    }

    /** A page without a place is refused. */
    @Test
    void withReport_noPlace() {
        assertThatThrownBy(() -> Publication.withReport("a page", List.of())).isInstanceOf(IllegalStateException.class);
    }
}

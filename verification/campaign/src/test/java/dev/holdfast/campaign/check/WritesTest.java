package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.Op;
import org.junit.jupiter.api.Test;

final class WritesTest {
    private final Story story = new Story();
    private final Op first = story.grant("a:1", 0, 1, 1, 1);
    private final Op second = story.grant("b:1", 10, 11, 2, 1);

    private Verdict verdict() {
        return story.judgedBy(new Writes());
    }

    /** Writes in the order of their tokens are correct; a holder may write more than once. */
    @Test
    void writes_inOrder() {
        story.wrote(first, 2, 3, 1, 1);
        story.wrote(first, 4, 20, 1, 2);
        story.wrote(second, 12, 13, 2, 3);
        assertThat(verdict().decision()).isEqualTo(Decision.KEPT);
        assertThat(verdict().judged()).isEqualTo(3);
    }

    /** A late write may be refused. */
    @Test
    void late_refused() {
        story.wrote(second, 12, 13, 2, 1);
        story.wrote(first, 14, 15, 1, 0);
        assertThat(verdict().decision()).isEqualTo(Decision.KEPT);
    }

    /** A late write that is accepted after a newer one is reported, even if their times overlap. */
    @Test
    void late_takenInAnotherPlace() {
        story.wrote(second, 12, 20, 2, 1);
        story.wrote(first, 14, 15, 1, 2);
        assertThat(verdict().violations()).hasSize(1);
    }

    /** A late write that is accepted after a newer one is reported, even if its sequence number is smaller. */
    @Test
    void late_takenInTime() {
        story.wrote(second, 12, 13, 2, 2);
        story.wrote(first, 14, 15, 1, 1);
        assertThat(verdict().violations()).hasSize(1);
    }

    /** Two writes with one sequence number are reported: one of them is lost. */
    @Test
    void places_same() {
        story.wrote(first, 2, 3, 1, 1);
        story.wrote(second, 12, 13, 2, 1);
        assertThat(verdict().decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A write with another hold's token is reported. */
    @Test
    void token_ofAnother() {
        story.wrote(first, 12, 13, 2, 1);
        assertThat(verdict().decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A write is refused only for a newer token. */
    @Test
    void refused_withNewestToken() {
        story.wrote(second, 12, 13, 2, 0);
        assertThat(verdict().decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A newer token that was requested only after the refusal does not justify it. */
    @Test
    void refused_beforeNewerWasRequested() {
        story.wrote(first, 5, 9, 1, 0);
        assertThat(verdict().decision()).isEqualTo(Decision.VIOLATED);
    }

    /** One whose acquisition was in progress at the time does. */
    @Test
    void refused_whileNewerWasRequested() {
        story.wrote(first, 5, 10, 1, 0);
        assertThat(verdict().decision()).isEqualTo(Decision.KEPT);
    }
}

package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.Fault;
import org.junit.jupiter.api.Test;

final class ResidueTest {
    private final Story story = new Story();

    private Verdict verdict() {
        return story.judgedBy(new Residue());
    }

    private void twoProcesses() {
        story.started("a", 0);
        story.started("b", 0);
        story.inspected("a", 100);
    }

    /** Everything was inspected, and nothing is left. */
    @Test
    void nothingLeft() {
        twoProcesses();
        story.inspected("b", 100);
        story.inspected("server", 101);
        assertThat(verdict().decision()).isEqualTo(Decision.KEPT);
        assertThat(verdict().judged()).isEqualTo(3);
    }

    /** Each leftover is reported. */
    @Test
    void somethingLeft() {
        twoProcesses();
        story.inspected("b", 100, "a timeout", "a thread");
        story.inspected("server", 101, "key lock");
        assertThat(verdict().violations())
                .extracting(Violation::what)
                .containsExactly("a timeout is left", "a thread is left", "key lock is left");
    }

    /** Without an inspection, nothing is decided. */
    @Test
    void noInspection() {
        twoProcesses();
        assertThat(verdict().decision()).isEqualTo(Decision.UNDECIDED);
        assertThat(verdict().undecided()).hasSize(2);
    }

    /** A killed process cannot be inspected. */
    @Test
    void killed() {
        twoProcesses();
        story.fault(Fault.CLIENT_KILLED, "b", 50, 51);
        story.inspected("server", 101);
        assertThat(verdict().decision()).isEqualTo(Decision.KEPT);
    }
}

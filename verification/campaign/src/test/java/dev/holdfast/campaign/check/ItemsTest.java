package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Op;
import org.junit.jupiter.api.Test;

/** A buffer for three items. */
final class ItemsTest {
    private final Story story = new Story();
    private final Op holder = story.lock("a:1", 0, 1);
    private final Op other = story.lock("b:1", 0, 1);

    private Verdict verdict() {
        return story.judgedBy(new Items());
    }

    private Decision decision() {
        return verdict().decision();
    }

    @Test
    void items_onceEach() {
        story.exchanged(holder, 10, 11, 7, 6);
        story.exchanged(other, 12, 13, 8, 6);
        story.exchanged(holder, 14, 15, 8, 7);
        story.exchanged(other, 16, 17, 8, 8);
        assertThat(decision()).isEqualTo(Decision.KEPT);
        assertThat(verdict().judged()).isEqualTo(4);
    }

    /** The second one overwrites the first. */
    @Test
    void item_putTwice() {
        story.exchanged(holder, 10, 11, 1, 0);
        story.exchanged(other, 12, 13, 1, 0);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    @Test
    void item_takenTwice() {
        story.exchanged(holder, 10, 11, 2, 0);
        story.exchanged(holder, 12, 13, 2, 1);
        story.exchanged(other, 12, 13, 2, 1);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** As many changes as there were, but others. */
    @Test
    void item_ofAnotherBuffer() {
        story.exchanged(holder, 10, 11, 3, 3);
        story.exchanged(other, 12, 13, 5, 2);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    @Test
    void buffer_tooFull() {
        story.exchanged(holder, 10, 11, 3, 0);
        story.exchanged(other, 12, 13, 4, 0);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    @Test
    void buffer_emptierThanEmpty() {
        story.exchanged(holder, 10, 11, 2, 2);
        story.exchanged(other, 12, 13, 2, 3);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** What the second one has found was written later. */
    @Test
    void item_foundTooEarly() {
        story.exchanged(holder, 14, 15, 1, 0);
        story.exchanged(other, 12, 13, 1, 1);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    @Test
    void item_ofNobody() {
        story.exchanged(holder, 10, 11, 1, 0);
        story.exchanged(other, 22, 23, 2, 1);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** It has not recorded its last item. */
    @Test
    void item_ofAKilledProcess() {
        story.exchanged(holder, 10, 11, 1, 0);
        story.fault(Fault.CLIENT_KILLED, "b", 15, 20);
        story.exchanged(holder, 22, 23, 2, 1);
        assertThat(decision()).isEqualTo(Decision.KEPT);
        assertThat(verdict().excused()).isEqualTo(1);
    }

    @Test
    void items_ofAKilledProcess() {
        story.exchanged(holder, 10, 11, 1, 0);
        story.fault(Fault.CLIENT_KILLED, "b", 15, 20);
        story.exchanged(holder, 22, 23, 2, 2);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }
}

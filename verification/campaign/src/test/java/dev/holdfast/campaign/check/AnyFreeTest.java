package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

/** A segmented lock with the segments {@code x} and {@code y}; what is prompt takes 20 ms. */
final class AnyFreeTest {
    private final Story story = new Story();

    private Decision decision() {
        return story.judgedBy(new AnyFree(Story.TERMS)).decision();
    }

    private void held(String lock, long from, long to) {
        story.by(By.BLOCKING).at(lock).lock("b:1", from, from + 1);
        story.unlock("b:1", to, to + 1);
    }

    private void call(What what, long from, long to, Outcome x, Outcome y) {
        story.by(By.SEGMENT);
        String owner = "a:segment-" + from;
        story.at("x").call(owner, what, from, to, x);
        story.at("y").call(owner, what, from, to, y);
    }

    /** Both segments are held. */
    @Test
    void none_allAreHeld() {
        held("x", 0, 100);
        held("y", 0, 100);
        call(What.TRY, 50, 51, Outcome.REFUSED, Outcome.REFUSED);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** One of them is free. */
    @Test
    void none_oneIsFree() {
        held("x", 0, 100);
        call(What.TRY, 50, 51, Outcome.REFUSED, Outcome.REFUSED);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** The reply that one is free did not arrive. */
    @Test
    void none_fault() {
        held("x", 0, 100);
        story.fault(Fault.BLACK_HOLED, "a", 40, 60);
        call(What.TRY, 50, 51, Outcome.REFUSED, Outcome.REFUSED);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A call waits although one of them becomes free. */
    @Test
    void waits_oneIsFree() {
        held("x", 0, 200);
        held("y", 0, 60);
        call(What.LOCK, 50, 75, Outcome.MISSED, Outcome.GRANTED);
        story.at("y").unlock("a:segment-50", 80, 81);
        assertThat(decision()).isEqualTo(Decision.KEPT);
        call(What.LOCK, 100, 190, Outcome.GRANTED, Outcome.MISSED);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A segment that stays busy after its release is not free. */
    @Test
    void waits_keptBusy() {
        story.by(By.HANDLE).at("x").lock("b:1", 0, 1);
        story.closeAfter("b:1", 2, 3, 100, Outcome.RELEASED);
        held("y", 0, 200);
        call(What.LOCK, 50, 110, Outcome.GRANTED, Outcome.MISSED);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }
}

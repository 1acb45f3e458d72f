package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.Event;
import dev.holdfast.campaign.history.Event.Returned;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

final class SimulatedTest {
    private final Checker linearizability = new Linearizability(Story.TERMS);

    /** A hundred thousand calls of 64 owners to one lock, many of them concurrent, are decided. */
    @Test
    void right_aHundredThousandCalls() {
        History history = Simulated.of(1, 64, 100_000);
        Verdict verdict = linearizability.check(history);
        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.decision()).isEqualTo(Decision.KEPT);
        assertThat(verdict.judged()).isGreaterThanOrEqualTo(100_000);
    }

    /** Every history of a correct lock is linearizable. */
    @RepeatedTest(50)
    void right_anySeed(RepetitionInfo repetition) {
        Verdict verdict = linearizability.check(Simulated.of(repetition.getCurrentRepetition(), 12, 300));
        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.decision()).isEqualTo(Decision.KEPT);
    }

    /** A single grant in place of a refusal is detected, wherever it is. */
    @RepeatedTest(50)
    void wrong_oneRefusalGranted(RepetitionInfo repetition) {
        List<Event> events = new ArrayList<>(
                Simulated.of(repetition.getCurrentRepetition(), 12, 300).events());
        List<Integer> refusals = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i) instanceof Returned returned && returned.outcome() == Outcome.REFUSED) {
                refusals.add(i);
            }
        }
        int chosen = refusals.get(repetition.getCurrentRepetition() % refusals.size());
        Returned refused = (Returned) events.get(chosen);
        events.set(chosen, new Returned(refused.at(), refused.op(), Outcome.GRANTED, 0, 1, refused.loss()));
        assertThat(linearizability.check(new History(events)).decision()).isEqualTo(Decision.VIOLATED);
    }
}

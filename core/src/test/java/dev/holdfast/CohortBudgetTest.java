package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CohortBudget.Heard;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a client lets others have a lock, and until when it lets them pass. */
final class CohortBudgetTest {
    /** Clocks begin anywhere. */
    private static final long START = Long.MAX_VALUE - Duration.ofMillis(10).toNanos();

    private final CohortBudget budget = new CohortBudget(START);

    private static long after(long millis) {
        return START + Duration.ofMillis(millis).toNanos();
    }

    /** A turn ends soon if somebody else listens, and seldom if nobody does: there may be callers who try and do not listen. */
    @ParameterizedTest
    @CsvSource({
        "0, 1, false",
        "14, 1, false",
        "15, 1, true",
        "15, 7, true",
        "15, 0, false",
        "199, 0, false",
        "200, 0, true"
    })
    void exhausted(long millis, int others, boolean expected) {
        budget.begin(START);
        assertThat(budget.exhausted(after(millis), others, true)).isEqualTo(expected);
        assertThat(budget.backsOff()).isEqualTo(expected);
    }

    /** Who had the lock before anybody waited for it has the turn from the moment that somebody does. */
    @Test
    void yields_ofOneWhoHadItBefore() {
        assertThat(budget.exhausted(after(14), 1, true)).isFalse();
        assertThat(budget.exhausted(after(15), 1, true)).isTrue();
    }

    /** Whoever has not had the lock tries upon every message. */
    @Test
    void heard_whileWaiting() {
        assertThat(heard(3)).containsOnly(Heard.TRY);
    }

    /** After the turn its own release is let pass, and one for each of the others but the last. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void heard_afterTheTurn(int others) {
        budget.begin(START);
        assertThat(budget.exhausted(after(20), others, true)).isTrue();
        budget.end(after(20));

        assertThat(heard(others)).containsOnly(Heard.SKIP);
        assertThat(budget.backsOff()).isTrue();
        assertThat(heard(2)).containsOnly(Heard.TRY);
        assertThat(budget.backsOff()).isFalse();
    }

    /** A turn that ended though nobody listens: only its own release is let pass. */
    @Test
    void heard_afterTheTurn_nobodyListens() {
        budget.begin(START);
        assertThat(budget.exhausted(after(200), 0, true)).isTrue();
        budget.end(after(200));

        assertThat(heard(2)).containsExactly(Heard.SKIP, Heard.TRY);
        assertThat(budget.backsOff()).isFalse();
    }

    /** A client that does not listen yet does not receive its own release: the first message is that of another one. */
    @Test
    void heard_afterTheTurn_notListening() {
        budget.begin(START);
        assertThat(budget.exhausted(after(15), 1, false)).isTrue();
        budget.end(after(15));

        assertThat(heard(1)).containsExactly(Heard.TRY);
    }

    /** A lock that is taken here again at once is the same turn; after a pause it is a new one. */
    @ParameterizedTest
    @CsvSource({"12, true", "13, false", "100, false"})
    void begin_afterARelease(long millis, boolean sameTurn) {
        budget.begin(START);
        budget.end(after(10));
        budget.begin(after(millis));
        assertThat(budget.exhausted(after(Math.max(millis, 15)), 1, true)).isEqualTo(sameTurn);
    }

    /** If somebody else had it in between, it is a new one, however soon. */
    @Test
    void begin_afterSomebodyElse() {
        budget.begin(START);
        budget.end(after(10));
        budget.lost();
        budget.begin(after(11));
        assertThat(budget.exhausted(after(25), 1, true)).isFalse();
        assertThat(budget.exhausted(after(26), 1, true)).isTrue();
    }

    /** Who had stood back and is granted the lock has a turn like any other. */
    @Test
    void begin_afterStandingBack() {
        budget.begin(START);
        assertThat(budget.exhausted(after(15), 3, true)).isTrue();
        budget.end(after(15));

        budget.begin(after(16));

        assertThat(budget.backsOff()).isFalse();
        assertThat(heard(1)).containsOnly(Heard.TRY);
        assertThat(budget.exhausted(after(30), 1, true)).isFalse();
        assertThat(budget.exhausted(after(31), 1, true)).isTrue();
    }

    private List<Heard> heard(int times) {
        return Stream.generate(budget::heard).limit(times).toList();
    }
}

package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Turn.Heard;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a client lets others have a lock, and until when it lets them pass. */
final class TurnTest {
    /** Clocks begin anywhere. */
    private static final long START = Long.MAX_VALUE - Duration.ofMillis(10).toNanos();

    private final Turn turn = new Turn(START);

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
    void yields(long millis, int others, boolean expected) {
        turn.begin(START);
        assertThat(turn.yields(after(millis), others, true)).isEqualTo(expected);
        assertThat(turn.standsBack()).isEqualTo(expected);
    }

    /** Who had the lock before anybody waited for it has the turn from the moment that somebody does. */
    @Test
    void yields_ofOneWhoHadItBefore() {
        assertThat(turn.yields(after(14), 1, true)).isFalse();
        assertThat(turn.yields(after(15), 1, true)).isTrue();
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
        turn.begin(START);
        assertThat(turn.yields(after(20), others, true)).isTrue();
        turn.end(after(20));

        assertThat(heard(others)).containsOnly(Heard.LET_PASS);
        assertThat(turn.standsBack()).isTrue();
        assertThat(heard(2)).containsOnly(Heard.TRY);
        assertThat(turn.standsBack()).isFalse();
    }

    /** A turn that ended though nobody listens: only its own release is let pass. */
    @Test
    void heard_afterTheTurn_nobodyListens() {
        turn.begin(START);
        assertThat(turn.yields(after(200), 0, true)).isTrue();
        turn.end(after(200));

        assertThat(heard(2)).containsExactly(Heard.LET_PASS, Heard.TRY);
        assertThat(turn.standsBack()).isFalse();
    }

    /** A client that does not listen yet does not receive its own release: the first message is that of another one. */
    @Test
    void heard_afterTheTurn_notListening() {
        turn.begin(START);
        assertThat(turn.yields(after(15), 1, false)).isTrue();
        turn.end(after(15));

        assertThat(heard(1)).containsExactly(Heard.TRY);
    }

    /** A lock that is taken here again at once is the same turn; after a pause it is a new one. */
    @ParameterizedTest
    @CsvSource({"12, true", "13, false", "100, false"})
    void begin_afterARelease(long millis, boolean sameTurn) {
        turn.begin(START);
        turn.end(after(10));
        turn.begin(after(millis));
        assertThat(turn.yields(after(Math.max(millis, 15)), 1, true)).isEqualTo(sameTurn);
    }

    /** If somebody else had it in between, it is a new one, however soon. */
    @Test
    void begin_afterSomebodyElse() {
        turn.begin(START);
        turn.end(after(10));
        turn.lost();
        turn.begin(after(11));
        assertThat(turn.yields(after(25), 1, true)).isFalse();
        assertThat(turn.yields(after(26), 1, true)).isTrue();
    }

    /** Who had stood back and is granted the lock has a turn like any other. */
    @Test
    void begin_afterStandingBack() {
        turn.begin(START);
        assertThat(turn.yields(after(15), 3, true)).isTrue();
        turn.end(after(15));

        turn.begin(after(16));

        assertThat(turn.standsBack()).isFalse();
        assertThat(heard(1)).containsOnly(Heard.TRY);
        assertThat(turn.yields(after(30), 1, true)).isFalse();
        assertThat(turn.yields(after(31), 1, true)).isTrue();
    }

    private List<Heard> heard(int times) {
        return Stream.generate(turn::heard).limit(times).toList();
    }
}

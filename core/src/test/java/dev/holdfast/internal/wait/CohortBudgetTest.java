package dev.holdfast.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.wait.CohortBudget.Reaction;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a client must release the lock to other clients, and how long it backs off afterwards. */
@Tag("pure")
final class CohortBudgetTest {
    /** A monotonic clock may start anywhere, so this one overflows during the test. */
    private static final long START = Long.MAX_VALUE - Duration.ofMillis(10).toNanos();

    private final CohortBudget budget = new CohortBudget(START);

    private static long after(long millis) {
        return START + Duration.ofMillis(millis).toNanos();
    }

    /** The budget is short while another client listens and long otherwise, since callers of tryLock do not listen. */
    @ParameterizedTest
    @CsvSource({
        "0, 1, false",
        "14, 1, false",
        "15, 1, true",
        "15, 7, true",
        "15, 0, false",
        "299, 0, false",
        "300, 0, true"
    })
    void exhausted(long millis, int others, boolean expected) {
        budget.begin(START);
        assertThat(budget.exhausted(after(millis), others, true)).isEqualTo(expected);
        assertThat(budget.backsOff()).isEqualTo(expected);
    }

    /** The budget of a holder that had the lock before there was a waiter starts when the first waiter arrives. */
    @Test
    void exhausted_ofAnEarlierHolder() {
        assertThat(budget.exhausted(after(14), 1, true)).isFalse();
        assertThat(budget.exhausted(after(15), 1, true)).isTrue();
    }

    /** A client that has not had the lock tries upon every message. */
    @Test
    void messageReceived_whileWaiting() {
        assertThat(messageReceived(3)).containsOnly(Reaction.TRY);
    }

    /**
     * After its budget is exhausted, the client skips its own release, and one for each of the other clients but the
     * last.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void messageReceived_afterTheBudget(int others) {
        budget.begin(START);
        assertThat(budget.exhausted(after(20), others, true)).isTrue();
        budget.end(after(20));

        assertThat(messageReceived(others)).containsOnly(Reaction.SKIP);
        assertThat(budget.backsOff()).isTrue();
        assertThat(messageReceived(2)).containsOnly(Reaction.TRY);
        assertThat(budget.backsOff()).isFalse();
    }

    /** If the budget was exhausted although no other client listens, only the client's own release is skipped. */
    @Test
    void messageReceived_afterTheBudget_noOtherListens() {
        budget.begin(START);
        assertThat(budget.exhausted(after(300), 0, true)).isTrue();
        budget.end(after(300));

        assertThat(messageReceived(2)).containsExactly(Reaction.SKIP, Reaction.TRY);
        assertThat(budget.backsOff()).isFalse();
    }

    /**
     * A client that is not yet subscribed does not receive its own release: its first message is another client's
     * release.
     */
    @Test
    void messageReceived_afterTheBudget_notListening() {
        budget.begin(START);
        assertThat(budget.exhausted(after(15), 1, false)).isTrue();
        budget.end(after(15));

        assertThat(messageReceived(1)).containsExactly(Reaction.TRY);
    }

    /** A lock that this client acquires again at once stays on the same budget; after a pause a new budget starts. */
    @ParameterizedTest
    @CsvSource({"12, true", "13, false", "100, false"})
    void begin_afterARelease(long millis, boolean sameBudget) {
        budget.begin(START);
        budget.end(after(10));
        budget.begin(after(millis));
        assertThat(budget.exhausted(after(Math.max(millis, 15)), 1, true)).isEqualTo(sameBudget);
    }

    /** If another client had the lock in between, a new budget starts, however soon that is. */
    @Test
    void begin_afterAnotherClient() {
        budget.begin(START);
        budget.end(after(10));
        budget.lost();
        budget.begin(after(11));
        assertThat(budget.exhausted(after(25), 1, true)).isFalse();
        assertThat(budget.exhausted(after(26), 1, true)).isTrue();
    }

    /** A client that is granted the lock while it backs off has a new budget like any other. */
    @Test
    void begin_afterBackingOff() {
        budget.begin(START);
        assertThat(budget.exhausted(after(15), 3, true)).isTrue();
        budget.end(after(15));

        budget.begin(after(16));

        assertThat(budget.backsOff()).isFalse();
        assertThat(messageReceived(1)).containsOnly(Reaction.TRY);
        assertThat(budget.exhausted(after(30), 1, true)).isFalse();
        assertThat(budget.exhausted(after(31), 1, true)).isTrue();
    }

    /** Its place in line decides when a client is next, so a grant to another one ends its backoff. */
    @Test
    void passedOn_inLine() {
        assertThat(budget.exhausted(after(20), 1, true)).isTrue();

        budget.passedOn(true);

        assertThat(budget.backsOff()).isFalse();
        assertThat(messageReceived(1)).containsOnly(Reaction.TRY);
    }

    /** A client that joins no line lets others of that kind go first, although its own release granted the lock. */
    @Test
    void passedOn_outsideTheLine() {
        assertThat(budget.exhausted(after(20), 1, true)).isTrue();

        budget.passedOn(false);

        assertThat(messageReceived(2)).containsExactly(Reaction.SKIP, Reaction.TRY);
    }

    private List<Reaction> messageReceived(int times) {
        return Stream.generate(budget::messageReceived).limit(times).toList();
    }

    /** A caller that arrives when the backoff is over, though no release was received since, attempts at once. */
    @Test
    void delaysArrival_duringTheBackoff() {
        long end = after(20);
        assertThat(budget.exhausted(end, 1, true)).isTrue();
        assertThat(budget.delaysArrival(end)).isTrue();
        assertThat(budget.delaysArrival(end + CohortBudget.BACKOFF.toNanos() - 1))
                .isTrue();
        assertThat(budget.delaysArrival(end + CohortBudget.BACKOFF.toNanos())).isFalse();
        assertThat(budget.backsOff()).isTrue();
    }
}

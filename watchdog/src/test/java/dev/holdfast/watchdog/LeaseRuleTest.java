package dev.holdfast.watchdog;

import static dev.holdfast.watchdog.LeaseRule.NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.watchdog.LeaseRule.AfterAnswer;
import dev.holdfast.watchdog.LeaseRule.Due;
import dev.holdfast.watchdog.LeaseRule.Freshness;
import dev.holdfast.watchdog.LeaseRule.RequestKind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("pure")
class LeaseRuleTest {

    /** The effect of a reply depends on the outcome, on what has been proved since, and without a reply on the time. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            # outcome, freshness,  age, lease, step
            RENEWED,   CURRENT,     10,    30, RESTART
            RENEWED,   CURRENT,     29,    30, RESTART
            RENEWED,   CURRENT,     30,    30, GIVE_UP
            RENEWED,   SUPERSEDED,  10,    30, RESTART
            RENEWED,   OUTDATED,    10,    30, RESTART
            LOST,      CURRENT,     10,    30, GIVE_UP
            LOST,      CURRENT,     30,    30, GIVE_UP
            LOST,      SUPERSEDED,  10,    30, GIVE_UP
            LOST,      OUTDATED,    10,    30, IGNORE
            UNKNOWN,   CURRENT,      0,    30, RETRY_SOON
            UNKNOWN,   CURRENT,     29,    30, RETRY_SOON
            UNKNOWN,   CURRENT,     30,    30, GIVE_UP
            UNKNOWN,   CURRENT,     31,    30, GIVE_UP
            UNKNOWN,   SUPERSEDED,  10,    30, IGNORE
            UNKNOWN,   SUPERSEDED,  30,    30, IGNORE
            UNKNOWN,   OUTDATED,    10,    30, IGNORE
            """)
    void next_everyCase(RenewalOutcome outcome, Freshness freshness, long age, long lease, AfterAnswer step) {
        assertThat(LeaseRule.next(outcome, freshness, age, lease)).isEqualTo(step);
    }

    /** The end has priority, then the warning; only a request in flight holds back the next one. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            # now, until, risk, answer by, request at, due
               9,    30,    -,         -,     10, NOTHING
              10,    30,    -,         -,     10, REQUEST
              10,    30,    -,         -,      -, NOTHING
              12,    30,   20,        13,     10, NOTHING
              13,    30,   20,        13,     10, REQUEST_TIMED_OUT
              20,    30,   20,         -,     10, NOTIFY_AT_RISK
              20,    30,   20,        20,     10, NOTIFY_AT_RISK
              29,    30,    -,        32,     10, NOTHING
              30,    30,   20,        32,     10, RUN_OUT
              30,    30,    -,         -,     10, RUN_OUT
              31,    30,    -,         -,      -, RUN_OUT
            """)
    void due_everyCase(long now, long until, String risk, String answerBy, String requestAt, Due due) {
        assertThat(LeaseRule.due(now, until, time(risk), time(answerBy), time(requestAt)))
                .isEqualTo(due);
    }

    /** A lease that is to be renewed is never merely verified. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            # renewed, verify requested, kind
            true,      true,             RENEW
            true,      false,            RENEW
            false,     true,             VERIFY
            false,     false,            NONE
            """)
    void requestKind_everyCase(boolean renewed, boolean verifyRequested, RequestKind kind) {
        assertThat(LeaseRule.requestKind(renewed, verifyRequested)).isEqualTo(kind);
    }

    /**
     * A lease that was not meant to continue has expired, whatever else went wrong; otherwise the cause is what
     * prevented its renewal.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            # unconfirmed, watched, given up, closed, unanswered, loss
            false,       false,     false,    false,  false,      EXPIRED
            false,       false,     false,    true,   true,       EXPIRED
            false,       true,      true,     false,  false,      EXPIRED
            false,       true,      true,     true,   true,       EXPIRED
            false,       true,      false,    true,   false,      CLOSED
            false,       true,      false,    true,   true,       CLOSED
            false,       true,      false,    false,  true,       UNANSWERED
            false,       true,      false,    false,  false,      STALLED
            true,        true,      false,    false,  false,      UNANSWERED
            true,        false,     false,    false,  false,      UNANSWERED
            true,        true,      true,     true,   false,      UNANSWERED
            """)
    void ranOut_everyCase(
            boolean unconfirmed, boolean watched, boolean givenUp, boolean closed, boolean unanswered, LossCause loss) {
        assertThat(LeaseRule.ranOut(unconfirmed, watched, givenUp, closed, unanswered))
                .isEqualTo(loss);
    }

    private static long time(String cell) {
        return cell.equals("-") ? NEVER : Long.parseLong(cell);
    }
}

package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Decisions about the command of a run, by what happens to its lock. */
@Tag("pure")
final class SupervisionTest {
    private static final Duration LEASE = Duration.ofSeconds(12);
    private static final EndTerms TERMS = EndTerms.of(LEASE); // told 3 s, killed 2 s before the end

    private final Supervision supervision = new Supervision(TERMS);

    private static Duration seconds(double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1000));
    }

    /** A command that ends while the lock is held ends the run, and nothing is said about the lock. */
    @Test
    void commandEnded_held_isOver() {
        assertThat(supervision.granted()).isEqualTo(RunAction.START);
        assertThat(supervision.left(seconds(8))).isEqualTo(RunAction.NOTHING);
        assertThat(supervision.commandEnded(true)).isEqualTo(RunAction.NOTHING);

        assertThat(supervision.state()).isEqualTo(RunState.ENDED);
        assertThat(supervision.isEndangered()).isFalse();
    }

    /** A command that ended after its lock was lost is reported as that, whatever its code is. */
    @Test
    void commandEnded_notHeld_isLost() {
        supervision.granted();
        supervision.commandEnded(false);

        assertThat(supervision.isEndangered()).isTrue();
    }

    /** At risk, the command is told once; it is killed before the lease is over, and not earlier. */
    @Test
    void atRisk_isToldThenKilled() {
        supervision.granted();

        assertThat(supervision.atRisk()).isEqualTo(RunAction.TERMINATE);
        assertThat(supervision.atRisk()).isEqualTo(RunAction.NOTHING);
        assertThat(supervision.left(seconds(2.1))).isEqualTo(RunAction.NOTHING);
        assertThat(supervision.left(seconds(2))).isEqualTo(RunAction.KILL);
        assertThat(supervision.left(seconds(0))).isEqualTo(RunAction.NOTHING);
        assertThat(supervision.state()).isEqualTo(RunState.KILLED);
        assertThat(supervision.isEndangered()).isTrue();
    }

    /** A lease that is renewed after all gives a command that was told to end the time to do so. */
    @Test
    void atRisk_renewed_isNotKilled() {
        supervision.granted();
        supervision.atRisk();

        assertThat(supervision.left(seconds(11))).isEqualTo(RunAction.NOTHING);
        assertThat(supervision.untilDue(seconds(11))).isEqualTo(seconds(9));
        assertThat(supervision.isEndangered()).isTrue();
    }

    /** An explicit lease has no renewal that could fail: the command is told when the lease is nearly over. */
    @Test
    void leaseNearlyOver_isTold() {
        supervision.granted();

        assertThat(supervision.untilDue(seconds(12))).isEqualTo(seconds(9));
        assertThat(supervision.left(seconds(3.1))).isEqualTo(RunAction.NOTHING);
        assertThat(supervision.left(seconds(3))).isEqualTo(RunAction.TERMINATE);
    }

    /** A lock that is lost leaves no time: another owner may have it. */
    @Test
    void lost_isKilled() {
        supervision.granted();

        assertThat(supervision.left(Duration.ZERO)).isEqualTo(RunAction.KILL);
        assertThat(supervision.isEndangered()).isTrue();
    }

    /** The first signal is passed on, the second kills, and neither is a loss. */
    @Test
    void signalled_twice_kills() {
        supervision.granted();

        assertThat(supervision.signalled()).isEqualTo(RunAction.FORWARD);
        assertThat(supervision.signalled()).isEqualTo(RunAction.KILL);
        assertThat(supervision.signalled()).isEqualTo(RunAction.NOTHING);
        assertThat(supervision.isEndangered()).isFalse();
    }

    /** The first signal kills a command that was told to end before. */
    @Test
    void signalled_atRisk_kills() {
        supervision.granted();
        supervision.atRisk();

        assertThat(supervision.signalled()).isEqualTo(RunAction.KILL);
    }

    /** A command that is ending because of a signal is protected no less than before. */
    @Test
    void atRisk_stopping_isToldAndKilled() {
        supervision.granted();
        supervision.signalled();

        assertThat(supervision.left(seconds(3))).isEqualTo(RunAction.TERMINATE);
        assertThat(supervision.left(seconds(2))).isEqualTo(RunAction.KILL);
    }

    /** A signal ends the wait for the lock; a grant that comes later starts nothing. */
    @Test
    void signalled_waiting_givesUp() {
        assertThat(supervision.signalled()).isEqualTo(RunAction.GIVE_UP);
        assertThat(supervision.granted()).isEqualTo(RunAction.NOTHING);
        assertThat(supervision.state()).isEqualTo(RunState.ENDED);
    }

    /** The guard acts after the process that it stands in for, and kills before the lease ends by an eighth of it. */
    @Test
    void terms_ofTheGuard_areLater() {
        assertThat(EndTerms.of(seconds(12)).later()).isEqualTo(new EndTerms(seconds(2.25), seconds(1.5)));
        assertThat(EndTerms.of(Duration.ofHours(1)).later()).isEqualTo(new EndTerms(seconds(7.5), seconds(2.25)));
    }

    /** Short leases leave time to end, and the time that a kill takes; long ones do not end a command much too early. */
    @Test
    void terms_areBounded() {
        assertThat(EndTerms.of(seconds(1.2))).isEqualTo(new EndTerms(Duration.ofMillis(300), Duration.ofMillis(200)));
        assertThat(EndTerms.of(seconds(30))).isEqualTo(new EndTerms(seconds(7.5), seconds(3)));
        assertThat(EndTerms.of(seconds(12))).isEqualTo(new EndTerms(seconds(3), seconds(2)));
        assertThat(EndTerms.of(Duration.ofHours(1))).isEqualTo(new EndTerms(seconds(10), seconds(3)));
    }
}

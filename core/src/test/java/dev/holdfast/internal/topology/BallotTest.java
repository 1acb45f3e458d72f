package dev.holdfast.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.redis.NodeAddress;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which address is that of the master, by the answers of its sentinels. */
@Tag("pure")
final class BallotTest {
    private final NodeAddress old = new NodeAddress("old", 6379);
    private final NodeAddress fresh = new NodeAddress("new", 6379);
    private final Ballot ballot = new Ballot(3);

    /** The majority of all sentinels is not kept waiting for the others. */
    @Test
    void majority_decides() {
        ballot.answered(fresh);
        assertThat(ballot.isDecided()).isFalse();
        ballot.answered(fresh);
        assertThat(ballot.isDecided()).isTrue();
        assertThat(ballot.elected()).isEqualTo(fresh);
    }

    /** One that was cut off is outvoted, even if it answers first. */
    @Test
    void minority_isOutvoted() {
        ballot.answered(old);
        ballot.answered(fresh);
        assertThat(ballot.elected()).isNull();
        ballot.answered(fresh);
        assertThat(ballot.elected()).isEqualTo(fresh);
    }

    /** One that does not answer is not needed, if the others agree. */
    @Test
    void silent_isNotNeeded() {
        ballot.silent();
        ballot.answered(fresh);
        ballot.answered(fresh);
        assertThat(ballot.isDecided()).isTrue();
        assertThat(ballot.elected()).isEqualTo(fresh);
    }

    /** The only one that answers may be cut off from the others: it does not decide. */
    @Test
    void minority_doesNotDecide() {
        ballot.silent();
        ballot.answered(old);
        ballot.silent();
        assertThat(ballot.isDecided()).isTrue();
        assertThat(ballot.isQuorate()).isFalse();
        assertThat(ballot.elected()).isNull();
    }

    /** Where only one is named, it decides alone. */
    @Test
    void onlyOne_decides() {
        Ballot ofOne = new Ballot(1);
        ofOne.answered(fresh);
        assertThat(ofOne.elected()).isEqualTo(fresh);
    }

    /** Two that disagree elect nobody. */
    @Test
    void tie_electsNobody() {
        ballot.answered(old);
        ballot.answered(fresh);
        ballot.silent();
        assertThat(ballot.isDecided()).isTrue();
        assertThat(ballot.elected()).isNull();
        assertThat(ballot.isNamed()).isTrue();
    }

    /** A sentinel that knows no such master has a vote against all addresses. */
    @Test
    void unknown_counts() {
        ballot.answered(null);
        ballot.answered(null);
        ballot.answered(old);
        assertThat(ballot.isDecided()).isTrue();
        assertThat(ballot.elected()).isNull();
    }

    /** No sentinel answers. */
    @Test
    void nobodyAnswers() {
        ballot.silent();
        ballot.silent();
        ballot.silent();
        assertThat(ballot.isDecided()).isTrue();
        assertThat(ballot.isAnswered()).isFalse();
        assertThat(ballot.elected()).isNull();
    }
}

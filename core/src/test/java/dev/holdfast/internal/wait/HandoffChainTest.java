package dev.holdfast.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.view.Unconnected;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which handoffs are unanswered, what a commit covers, and whether another handoff may be appended. */
@Tag("pure")
final class HandoffChainTest {
    private static final int LONGEST = 256;

    @AutoClose
    private final Unconnected parts = new Unconnected();

    private final HandoffChain<Handoff> chain = new HandoffChain<>();
    private final Handoff first = parts.handoff(parts.hold(-1), -2);
    private final Handoff second = parts.handoff(first.hold(), -3);
    private final Handoff third = parts.handoff(second.hold(), -4);

    /** Unanswered handoffs are kept in order, and each is removed once, with its reply. */
    @Test
    void unanswered_inOrder() {
        assertThat(chain.isEmpty()).isTrue();
        chain.add(first);
        chain.add(second);
        chain.add(third);
        assertThat(chain.unanswered()).containsExactly(first, second, third);
        assertThat(chain.remove(first)).isTrue();
        assertThat(chain.remove(first)).isFalse();
        assertThat(chain.unanswered()).containsExactly(second, third);
        assertThat(chain.remove(second)).isTrue();
        assertThat(chain.remove(third)).isTrue();
        assertThat(chain.isEmpty()).isTrue();
    }

    /** The chain has a maximum length, and may grow again when a reply has come. */
    @Test
    void mayGrow_upToALength() {
        for (int i = 0; i < LONGEST; i++) {
            assertThat(chain.mayGrow()).isTrue();
            chain.add(i == 0 ? first : parts.handoff(third.hold(), -5));
        }
        assertThat(chain.mayGrow()).isFalse();
        chain.remove(first);
        assertThat(chain.mayGrow()).isTrue();
    }

    /**
     * When a handoff was not executed, none is appended until those after it are known not to have been executed
     * either.
     */
    @Test
    void broken_growsNoMoreUntilEmpty() {
        chain.add(first);
        chain.add(second);
        chain.add(third);
        chain.remove(first);
        chain.markBroken();
        assertThat(chain.mayGrow()).isFalse();
        chain.remove(second);
        assertThat(chain.mayGrow()).isFalse();
        chain.remove(third);
        assertThat(chain.mayGrow()).isTrue();
    }

    /** When the last handoff was not executed, there is none after it to wait for. */
    @Test
    void broken_atTheLast_mayGrow() {
        chain.add(first);
        chain.remove(first);
        chain.markBroken();
        assertThat(chain.mayGrow()).isTrue();
    }

    /** A commit covers what was added since the last one; nothing awaits a commit until more is added. */
    @Test
    void startCommit_coversTheNewOnes() {
        assertThat(chain.awaitsCommit()).isFalse();
        chain.add(first);
        assertThat(chain.awaitsCommit()).isTrue();
        assertThat(chain.lastCommitted()).isNull();
        assertThat(chain.startCommit(1)).containsExactly(first);
        assertThat(chain.awaitsCommit()).isFalse();
        assertThat(chain.lastCommitted()).isSameAs(first);
        chain.add(second);
        chain.add(third);
        assertThat(chain.unanswered()).containsExactly(first, second, third);
        assertThat(chain.startCommit(2)).containsExactly(second, third);
        assertThat(chain.lastCommitted()).isSameAs(third);
        assertThat(third.committedNanos()).isEqualTo(2);
        assertThat(first.committedNanos()).isEqualTo(1);
    }

    /** When all that was committed is answered, no commit is in flight, whether or not more was added. */
    @Test
    void answered_noCommitInFlight() {
        chain.add(first);
        chain.startCommit(1);
        chain.add(second);
        assertThat(chain.isCommitInFlight()).isTrue();
        chain.remove(first);
        assertThat(chain.isCommitInFlight()).isFalse();
        assertThat(chain.awaitsCommit()).isTrue();
    }

    /** A stalled chain neither grows nor commits until it is empty; it reports its handoffs once. */
    @Test
    void stalled_untilEmpty() {
        chain.add(first);
        chain.startCommit(1);
        chain.add(second);
        assertThat(chain.stall()).containsExactly(first, second);
        assertThat(chain.stall()).isEmpty();
        assertThat(chain.mayGrow()).isFalse();
        assertThat(chain.awaitsCommit()).isFalse();
        assertThat(chain.isCommitInFlight()).isFalse();
        chain.remove(first);
        assertThat(chain.mayGrow()).isFalse();
        chain.remove(second);
        assertThat(chain.mayGrow()).isTrue();
    }

    /** An empty chain does not stall: nothing would end that. */
    @Test
    void stall_empty() {
        assertThat(chain.stall()).isEmpty();
        assertThat(chain.mayGrow()).isTrue();
    }

    /** An owner that has handed the lock off finds its latest handoff, unless no reply can decide it any more. */
    @Test
    void latestFrom_untilStalled() {
        Handoff again = parts.handoff(parts.hold(-1), -6);
        chain.add(first);
        chain.add(second);
        assertThat(chain.latestFrom(-1)).isSameAs(first);
        chain.add(again);
        assertThat(chain.latestFrom(-1)).isSameAs(again);
        assertThat(chain.latestFrom(-5)).isNull();
        chain.stall();
        assertThat(chain.latestFrom(-1)).isNull();
    }
}

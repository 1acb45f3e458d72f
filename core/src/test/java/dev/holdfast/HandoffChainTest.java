package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Which handoffs have no answer, and whether one more may be added to them. */
final class HandoffChainTest {
    private static final int LONGEST = 256;

    @AutoClose
    private final Idle idle = new Idle();

    private final HandoffChain chain = new HandoffChain();
    private final Handoff first = idle.handoff(idle.hold(-1), -2);
    private final Handoff second = idle.handoff(first.hold(), -3);
    private final Handoff third = idle.handoff(second.hold(), -4);

    /** Those without an answer are known in order, and each is forgotten with its answer, once. */
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

    /** It does not grow without end, and grows on when an answer has come. */
    @Test
    void mayGrow_upToALength() {
        for (int i = 0; i < LONGEST; i++) {
            assertThat(chain.mayGrow()).isTrue();
            chain.add(i == 0 ? first : idle.handoff(third.hold(), -5));
        }
        assertThat(chain.mayGrow()).isFalse();
        chain.remove(first);
        assertThat(chain.mayGrow()).isTrue();
    }

    /** When one did not happen, none is added until those behind it are known not to have happened either. */
    @Test
    void snap_growsNoMoreUntilEmpty() {
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

    /** When the last one did not happen, there is none behind it to wait for. */
    @Test
    void snap_ofTheLast_mayGrow() {
        chain.add(first);
        chain.remove(first);
        chain.markBroken();
        assertThat(chain.mayGrow()).isTrue();
    }
}

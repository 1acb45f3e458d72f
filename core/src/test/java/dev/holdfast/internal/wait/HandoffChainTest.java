package dev.holdfast.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.client.Unconnected;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which handoffs are unanswered, and whether another may be appended. */
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
}

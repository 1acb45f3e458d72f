package dev.holdfast.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.view.Unconnected;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** First come, first served, with one place for each owner. */
@Tag("pure")
final class QueuedWaitersTest {
    @AutoClose
    private final Unconnected parts = new Unconnected();

    private final QueuedWaiters waiters = new QueuedWaiters();
    private final LockWaiter a1 = parts.acquisition(-1);
    private final LockWaiter b1 = parts.acquisition(-2);
    private final LockWaiter a2 = parts.acquisition(-1);
    private final LockWaiter c1 = parts.acquisition(-3);
    private final LockWaiter a3 = parts.acquisition(-1);

    private void all() {
        List.of(a1, b1, a2, c1, a3).forEach(waiters::add);
    }

    private List<LockWaiter> firsts() {
        List<LockWaiter> firsts = new ArrayList<>();
        waiters.firsts().forEachRemaining(firsts::add);
        return firsts;
    }

    /** An owner's position is that of its first acquisition; all of its acquisitions count. */
    @Test
    void add_oneOwnerOnePlace() {
        assertThat(waiters.isEmpty()).isTrue();
        all();
        assertThat(firsts()).containsExactly(a1, b1, c1);
        assertThat(waiters.size()).isEqualTo(5);
        assertThat(waiters.isEmpty()).isFalse();
    }

    /**
     * When the first acquisition of an owner leaves, another one of that owner takes its position, and no other owner
     * moves.
     */
    @Test
    void remove_first() {
        all();
        assertThat(waiters.remove(a1)).isTrue();
        assertThat(firsts()).hasSize(3).endsWith(b1, c1).first().isIn(a2, a3);
        assertThat(waiters.remove(a2)).isTrue();
        assertThat(firsts()).containsExactly(a3, b1, c1);
        assertThat(waiters.remove(a3)).isTrue();
        assertThat(firsts()).containsExactly(b1, c1);
        assertThat(waiters.size()).isEqualTo(2);
    }

    /** When another than the first leaves, the rest stay. */
    @Test
    void remove_others() {
        all();
        assertThat(waiters.remove(a2)).isTrue();
        assertThat(firsts()).containsExactly(a1, b1, c1);
        assertThat(waiters.remove(a3)).isTrue();
        assertThat(firsts()).containsExactly(a1, b1, c1);
        waiters.add(a2);
        assertThat(waiters.takeAllOf(-1, null)).containsExactlyInAnyOrder(a1, a2);
        assertThat(waiters.size()).isEqualTo(2);
    }

    /** An acquisition that is not in the queue, or not any more, is not removed. */
    @Test
    void remove_absent() {
        assertThat(waiters.remove(a1)).isFalse();
        all();
        assertThat(waiters.remove(parts.acquisition(-1))).isFalse();
        assertThat(waiters.remove(b1)).isTrue();
        assertThat(waiters.remove(b1)).isFalse();
        assertThat(waiters.size()).isEqualTo(4);
    }

    /** All acquisitions of one owner are removed except for a given one. */
    @Test
    void takeAllOf() {
        all();
        assertThat(waiters.takeAllOf(-1, a1)).containsExactlyInAnyOrder(a2, a3);
        assertThat(waiters.takeAllOf(-1, a1)).isEmpty();
        assertThat(firsts()).containsExactly(a1, b1, c1);
        assertThat(waiters.takeAllOf(-1, null)).containsExactly(a1);
        assertThat(waiters.takeAllOf(-1, null)).isEmpty();
        assertThat(firsts()).containsExactly(b1, c1);
        assertThat(waiters.size()).isEqualTo(2);
    }

    /** The given one may be any of them. */
    @Test
    void takeAllOf_exceptInBetween() {
        all();
        assertThat(waiters.takeAllOf(-1, a2)).containsExactlyInAnyOrder(a1, a3);
        assertThat(firsts()).containsExactlyInAnyOrder(a2, b1, c1);
        assertThat(waiters.size()).isEqualTo(3);
    }

    /** All acquisitions that match the predicate are removed, whoever owns them. */
    @Test
    void take() {
        all();
        assertThat(waiters.take(entry -> entry == a2 || entry == b1)).containsExactlyInAnyOrder(a2, b1);
        assertThat(firsts()).containsExactly(a1, c1);
        assertThat(waiters.take(entry -> true)).containsExactlyInAnyOrder(a1, a3, c1);
        assertThat(waiters.isEmpty()).isTrue();
        assertThat(firsts()).isEmpty();
    }

    /** An acquisition that was removed can be added again. */
    @Test
    void add_afterAll() {
        all();
        waiters.take(entry -> true);
        waiters.add(a3);
        waiters.add(a1);
        assertThat(waiters.takeAllOf(-1, null)).containsExactlyInAnyOrder(a3, a1);
    }
}

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
final class WaiterLineTest {
    @AutoClose
    private final Unconnected parts = new Unconnected();

    private final WaiterLine line = new WaiterLine();
    private final LockWaiter a1 = parts.acquisition(-1);
    private final LockWaiter b1 = parts.acquisition(-2);
    private final LockWaiter a2 = parts.acquisition(-1);
    private final LockWaiter c1 = parts.acquisition(-3);
    private final LockWaiter a3 = parts.acquisition(-1);

    private void all() {
        List.of(a1, b1, a2, c1, a3).forEach(line::add);
    }

    private List<LockWaiter> firsts() {
        List<LockWaiter> firsts = new ArrayList<>();
        line.firsts().forEachRemaining(firsts::add);
        return firsts;
    }

    /** An owner's position is that of its first acquisition; all of its acquisitions count. */
    @Test
    void add_oneOwnerOnePlace() {
        assertThat(line.isEmpty()).isTrue();
        all();
        assertThat(firsts()).containsExactly(a1, b1, c1);
        assertThat(line.size()).isEqualTo(5);
        assertThat(line.isEmpty()).isFalse();
    }

    /**
     * When the first acquisition of an owner leaves, another one of that owner takes its position, and no other owner
     * moves.
     */
    @Test
    void remove_first() {
        all();
        assertThat(line.remove(a1)).isTrue();
        assertThat(firsts()).hasSize(3).endsWith(b1, c1).first().isIn(a2, a3);
        assertThat(line.remove(a2)).isTrue();
        assertThat(firsts()).containsExactly(a3, b1, c1);
        assertThat(line.remove(a3)).isTrue();
        assertThat(firsts()).containsExactly(b1, c1);
        assertThat(line.size()).isEqualTo(2);
    }

    /** When another than the first leaves, the rest stay. */
    @Test
    void remove_others() {
        all();
        assertThat(line.remove(a2)).isTrue();
        assertThat(firsts()).containsExactly(a1, b1, c1);
        assertThat(line.remove(a3)).isTrue();
        assertThat(firsts()).containsExactly(a1, b1, c1);
        line.add(a2);
        assertThat(line.takeAllOf(-1, null)).containsExactlyInAnyOrder(a1, a2);
        assertThat(line.size()).isEqualTo(2);
    }

    /** An acquisition that is not in the line, or not any more, is not removed. */
    @Test
    void remove_absent() {
        assertThat(line.remove(a1)).isFalse();
        all();
        assertThat(line.remove(parts.acquisition(-1))).isFalse();
        assertThat(line.remove(b1)).isTrue();
        assertThat(line.remove(b1)).isFalse();
        assertThat(line.size()).isEqualTo(4);
    }

    /** All acquisitions of one owner are removed except for a given one. */
    @Test
    void takeAllOf() {
        all();
        assertThat(line.takeAllOf(-1, a1)).containsExactlyInAnyOrder(a2, a3);
        assertThat(line.takeAllOf(-1, a1)).isEmpty();
        assertThat(firsts()).containsExactly(a1, b1, c1);
        assertThat(line.takeAllOf(-1, null)).containsExactly(a1);
        assertThat(line.takeAllOf(-1, null)).isEmpty();
        assertThat(firsts()).containsExactly(b1, c1);
        assertThat(line.size()).isEqualTo(2);
    }

    /** The given one may be any of them. */
    @Test
    void takeAllOf_exceptInBetween() {
        all();
        assertThat(line.takeAllOf(-1, a2)).containsExactlyInAnyOrder(a1, a3);
        assertThat(firsts()).containsExactlyInAnyOrder(a2, b1, c1);
        assertThat(line.size()).isEqualTo(3);
    }

    /** All acquisitions that match the predicate are removed, whoever owns them. */
    @Test
    void take() {
        all();
        assertThat(line.take(entry -> entry == a2 || entry == b1)).containsExactlyInAnyOrder(a2, b1);
        assertThat(firsts()).containsExactly(a1, c1);
        assertThat(line.take(entry -> true)).containsExactlyInAnyOrder(a1, a3, c1);
        assertThat(line.isEmpty()).isTrue();
        assertThat(firsts()).isEmpty();
    }

    /** An acquisition that was removed can be added again. */
    @Test
    void add_afterAll() {
        all();
        line.take(entry -> true);
        line.add(a3);
        line.add(a1);
        assertThat(line.takeAllOf(-1, null)).containsExactlyInAnyOrder(a3, a1);
    }
}

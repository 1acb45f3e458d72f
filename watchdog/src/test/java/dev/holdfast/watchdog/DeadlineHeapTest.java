package dev.holdfast.watchdog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class DeadlineHeapTest {

    /**
     * After any sequence of insertions, moves and removals the first deadline is the earliest, and none is lost or kept
     * by mistake.
     */
    @Test
    void first_isTheEarliestAfterAnyHistory() {
        Random random = new Random(7);
        DeadlineHeap<Deadline> heap = new DeadlineHeap<>();
        List<Deadline> in = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            int dice = random.nextInt(10);
            if (in.isEmpty() || dice < 5) {
                Deadline added = new Idle();
                heap.put(added, random.nextInt(1_000));
                in.add(added);
            } else if (dice < 7) {
                heap.put(in.get(random.nextInt(in.size())), random.nextInt(1_000));
            } else {
                Deadline removed = in.remove(random.nextInt(in.size()));
                assertThat(heap.remove(removed)).isTrue();
                assertThat(heap.remove(removed)).isFalse();
            }
            assertThat(heap.size()).isEqualTo(in.size());
            long earliest = in.stream().mapToLong(d -> d.at).min().orElse(-1);
            Deadline first = heap.first();
            assertThat(first == null ? -1 : first.at).isEqualTo(earliest);
            if (in.size() > 200) {
                heap.clear();
                assertThat(heap.first()).isNull();
                assertThat(in).allMatch(d -> d.index == DeadlineHeap.NOT_SCHEDULED);
                in.clear();
            }
        }
    }

    /** A deadline that is in another heap is rejected, instead of corrupting both. */
    @Test
    void put_deadlineOfAnotherHeap() {
        Deadline shared = new Idle();
        new DeadlineHeap<Deadline>().put(shared, 1);
        DeadlineHeap<Deadline> other = new DeadlineHeap<>();
        assertThatIllegalArgumentException().isThrownBy(() -> other.put(shared, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> other.remove(shared));
    }

    private static final class Idle extends Deadline {
        @Override
        protected void expired() {}
    }
}

package dev.holdfast.watchdog;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A binary heap of deadlines by tick, each of which knows its own place: removing one from the middle costs as little as
 * taking the first. Deadlines mostly arrive in the order they are due in, and then both are a handful of instructions.
 *
 * <p>Not safe for use by several threads; {@link Deadlines} guards it.
 */
final class DeadlineHeap {
    private @Nullable Deadline[] heap = new Deadline[16];
    private int size;

    int size() {
        return size;
    }

    @Nullable
    Deadline first() {
        return heap[0];
    }

    /** Adds the deadline for the tick, or moves it there. */
    void put(Deadline deadline, long tick) {
        if (contains(deadline)) {
            deadline.tick = tick;
            settle(deadline, deadline.index);
            return;
        }
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size + (size >> 1));
        }
        deadline.tick = tick;
        settle(deadline, size++);
    }

    /** Takes the deadline out; false when it was not in. */
    boolean remove(Deadline deadline) {
        if (!contains(deadline)) {
            return false;
        }
        int hole = deadline.index;
        deadline.index = Deadline.NOT_SCHEDULED;
        Deadline last = at(--size);
        heap[size] = null;
        if (last != deadline) {
            settle(last, hole);
        }
        return true;
    }

    void clear() {
        for (int i = 0; i < size; i++) {
            at(i).index = Deadline.NOT_SCHEDULED;
        }
        Arrays.fill(heap, 0, size, null);
        size = 0;
    }

    private boolean contains(Deadline deadline) {
        if (deadline.index == Deadline.NOT_SCHEDULED) {
            return false;
        }
        if (deadline.index >= size || heap[deadline.index] != deadline) {
            throw new IllegalArgumentException(
                    "a deadline must stay with one Deadlines, " + deadline + " is scheduled with another");
        }
        return true;
    }

    /** Puts the deadline into the hole, or where the hole has to move to for its tick. */
    private void settle(Deadline deadline, int hole) {
        int at = rise(deadline, hole);
        at = at == hole ? sink(deadline, hole) : at;
        place(deadline, at);
    }

    private int rise(Deadline deadline, int hole) {
        int at = hole;
        while (at > 0) {
            int above = (at - 1) >>> 1;
            if (at(above).tick <= deadline.tick) {
                break;
            }
            place(at(above), at);
            at = above;
        }
        return at;
    }

    private int sink(Deadline deadline, int hole) {
        int at = hole;
        for (int below = 2 * at + 1; below < size; below = 2 * at + 1) {
            if (below + 1 < size && at(below + 1).tick < at(below).tick) {
                below++;
            }
            if (at(below).tick >= deadline.tick) {
                break;
            }
            place(at(below), at);
            at = below;
        }
        return at;
    }

    private void place(Deadline deadline, int at) {
        heap[at] = deadline;
        deadline.index = at;
    }

    @SuppressWarnings("NullAway") // every place below size is taken
    private Deadline at(int index) {
        return heap[index];
    }
}

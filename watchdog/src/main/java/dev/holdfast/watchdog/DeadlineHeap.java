package dev.holdfast.watchdog;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A binary heap of deadlines by time. Each deadline stores its own index, so that removing one from the middle costs as
 * little as removing the first. Deadlines are mostly added in the order in which they are due, and then adding and
 * removing take a handful of instructions.
 *
 * <p>Not safe for use by several threads; the using class guards it.
 */
final class DeadlineHeap<D extends DeadlineHeap.Node> {
    static final int NOT_SCHEDULED = -1;

    /** An element of a heap. It stores its own time and index, so that the heap needs no separate entry objects. */
    abstract static class Node {
        /** When it is due, in the heap's unit. Written and read by its heap, under the lock that guards that. */
        long at;

        /** Its index in the heap, or {@link #NOT_SCHEDULED}. Guarded like {@link #at}. */
        int index = NOT_SCHEDULED;
    }

    private @Nullable Node[] heap = new Node[16];
    private int size;

    int size() {
        return size;
    }

    @Nullable
    D first() {
        return size == 0 ? null : at(0);
    }

    /** {@return all of them, in no order} */
    List<D> toList() {
        List<D> all = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            all.add(at(i));
        }
        return all;
    }

    /** Adds the deadline for the time, or moves it there. */
    void put(D deadline, long at) {
        if (contains(deadline)) {
            deadline.at = at;
            sift(deadline, deadline.index);
            return;
        }
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size + (size >> 1));
        }
        deadline.at = at;
        sift(deadline, size++);
    }

    /** Removes the deadline; false when it was not in the heap. */
    boolean remove(D deadline) {
        if (!contains(deadline)) {
            return false;
        }
        int hole = deadline.index;
        deadline.index = NOT_SCHEDULED;
        D last = at(--size);
        heap[size] = null;
        if (last != deadline) {
            sift(last, hole);
        }
        return true;
    }

    void clear() {
        for (int i = 0; i < size; i++) {
            at(i).index = NOT_SCHEDULED;
        }
        Arrays.fill(heap, 0, size, null);
        size = 0;
    }

    private boolean contains(D deadline) {
        if (deadline.index == NOT_SCHEDULED) {
            return false;
        }
        if (deadline.index >= size || heap[deadline.index] != deadline) {
            throw new IllegalArgumentException(
                    "a deadline must stay with one Deadlines, " + deadline + " is scheduled with another");
        }
        return true;
    }

    /** Moves the hole to the position that fits the deadline's time, and puts the deadline there. */
    private void sift(D deadline, int hole) {
        int at = siftUp(deadline, hole);
        at = at == hole ? siftDown(deadline, hole) : at;
        place(deadline, at);
    }

    private int siftUp(D deadline, int hole) {
        int at = hole;
        while (at > 0) {
            int above = (at - 1) >>> 1;
            if (at(above).at <= deadline.at) {
                break;
            }
            place(at(above), at);
            at = above;
        }
        return at;
    }

    private int siftDown(D deadline, int hole) {
        int at = hole;
        for (int below = 2 * at + 1; below < size; below = 2 * at + 1) {
            if (below + 1 < size && at(below + 1).at < at(below).at) {
                below++;
            }
            if (at(below).at >= deadline.at) {
                break;
            }
            place(at(below), at);
            at = below;
        }
        return at;
    }

    private void place(D deadline, int at) {
        heap[at] = deadline;
        deadline.index = at;
    }

    @SuppressWarnings({"NullAway", "unchecked"}) // every index below size has an element, of the type that was put
    private D at(int index) {
        return (D) heap[index];
    }
}

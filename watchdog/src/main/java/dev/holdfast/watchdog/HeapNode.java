package dev.holdfast.watchdog;

/**
 * An element of a {@link DeadlineHeap}. It stores its own time and index, so that the heap needs no separate entry
 * objects.
 */
abstract class HeapNode {
    static final int NOT_SCHEDULED = -1;

    /**
     * When it is due, in the heap's unit. Written and read by its {@link DeadlineHeap}, under the lock that guards the
     * heap.
     */
    long at;

    /** Its index in the heap, or {@link #NOT_SCHEDULED}. Guarded like {@link #at}. */
    int index = NOT_SCHEDULED;

    HeapNode() {}
}

package dev.holdfast.watchdog;

/** What a {@link DeadlineHeap} orders: it knows its time and its place, so that a heap of it needs no entries beside it. */
abstract class HeapNode {
    static final int NOT_SCHEDULED = -1;

    /** When it is due, in the heap's unit. Written and read by its {@link DeadlineHeap}, under the lock that guards that. */
    long at;

    /** Its place in the heap, or {@link #NOT_SCHEDULED}. As above. */
    int index = NOT_SCHEDULED;

    HeapNode() {}
}

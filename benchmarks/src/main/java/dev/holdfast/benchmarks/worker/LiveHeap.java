package dev.holdfast.benchmarks.worker;

/** By how much the live heap grows between two moments. */
final class LiveHeap {
    private long before;
    private long after;

    void before() {
        before = LiveObjects.bytes();
    }

    void after() {
        after = LiveObjects.bytes();
    }

    long grown() {
        return after - before;
    }
}

package dev.holdfast.benchmarks.worker;

/** The growth of the live heap between two moments. */
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

package dev.holdfast.benchmarks.system;

/** A semaphore of one name. */
@FunctionalInterface
public interface Limit {
    /** {@return what releases these permits, once the caller has them} */
    Runnable acquire(int permits) throws InterruptedException;
}

package dev.holdfast.benchmarks.worker;

import java.io.Serializable;

/** What a worker is to do. It travels to the worker, and says nothing of when: that is told while it goes on. */
public interface Task extends Serializable {
    /** Connects, and does whatever must be done before the start. */
    Contest prepare(Arena arena) throws Exception;
}

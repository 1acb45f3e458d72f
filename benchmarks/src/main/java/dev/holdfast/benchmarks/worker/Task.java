package dev.holdfast.benchmarks.worker;

import java.io.Serializable;

/**
 * The task of a worker. It is serialized to the worker, and defines what is done; the {@link Phase}s determine when.
 */
public interface Task extends Serializable {
    /** Connects, and prepares all that must be ready before the start. */
    Contest prepare(Arena arena) throws Exception;
}

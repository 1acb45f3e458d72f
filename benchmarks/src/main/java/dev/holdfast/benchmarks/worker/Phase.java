package dev.holdfast.benchmarks.worker;

/** The phases of a worker, in order; see {@link Contest}. */
public enum Phase {
    PREPARE,
    START,
    OPEN,
    SHUT,
    STOP
}

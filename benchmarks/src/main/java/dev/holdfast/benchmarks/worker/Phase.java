package dev.holdfast.benchmarks.worker;

/** What workers are told to do next; see {@link Contest}. */
public enum Phase {
    PREPARE,
    START,
    OPEN,
    SHUT,
    STOP
}

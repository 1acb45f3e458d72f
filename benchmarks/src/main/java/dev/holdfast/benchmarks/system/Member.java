package dev.holdfast.benchmarks.system;

/**
 * One of several locks that are acquired together.
 *
 * @param name the name of the lock
 * @param server the index of its server among the independent servers
 */
public record Member(String name, int server) {}

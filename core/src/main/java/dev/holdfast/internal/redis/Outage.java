package dev.holdfast.internal.redis;

import org.jspecify.annotations.Nullable;

/**
 * The time in which a node has no connection that accepts calls.
 *
 * @param nanos how long it has lasted
 * @param why what ended the last connection, or kept the first from being made; null if it is not known
 */
public record Outage(long nanos, @Nullable Throwable why) {}

package dev.holdfast.internal.redis;

/**
 * What makes the locks of a link replicated.
 *
 * @param replicas how many replicas must have what grants or prolongs a hold; at least 1
 * @param timeoutMillis how long to wait for them
 */
public record Replication(int replicas, long timeoutMillis) {}

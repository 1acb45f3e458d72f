/**
 * Count-down latches: the commands of a client about each, in order, and the waits for its opening. What a latch has in Redis
 * is in {@code kind}; how a client subscribes, in {@code wait}. Internal: not for users.
 */
@NullMarked
package dev.holdfast.internal.latch;

import org.jspecify.annotations.NullMarked;

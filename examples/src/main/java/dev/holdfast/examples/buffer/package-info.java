/**
 * Processes that put items into a bounded buffer in Redis, and others that take them out, under a lock with conditions.
 * {@link dev.holdfast.examples.buffer.BufferDemo} kills one that has taken an item and holds the lock, and shows that each item was
 * shipped once.
 *
 * <p>The buffer ({@code Buffer}) is used by both kinds of processes ({@code ProducerProcess}, {@code ConsumerProcess}), and at the end by
 * their parent, which controls them ({@code BufferRun}); the evaluation is pure ({@code BufferOutcome}).
 */
@NullMarked
package dev.holdfast.examples.buffer;

import org.jspecify.annotations.NullMarked;

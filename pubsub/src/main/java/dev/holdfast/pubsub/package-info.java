/**
 * Subscribes to channels and wakes the waiters of a channel when a message arrives: any number of channels over one
 * subscription connection, with one asynchronous semaphore per subscription. The package contains no script and no notion of
 * a lock; the meaning of a message is up to the caller.
 */
@NullMarked
package dev.holdfast.pubsub;

import org.jspecify.annotations.NullMarked;

/**
 * Hears that something happened on a channel and tells whoever waits for it: any number of channels over one subscription
 * connection, one asynchronous semaphore per channel. Knows no script and not what a lock is; what a message means is for
 * the caller to find out.
 */
@NullMarked
package dev.holdfast.pubsub;

import org.jspecify.annotations.NullMarked;

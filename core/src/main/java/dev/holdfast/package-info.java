/**
 * A distributed {@link java.util.concurrent.locks.Lock} on Redis and Valkey. Start at {@link dev.holdfast.Holdfast};
 * the guarantees of a lock and their limits are documented at {@link dev.holdfast.DistributedLock}.
 */
@NullMarked
package dev.holdfast;

import org.jspecify.annotations.NullMarked;

/**
 * A distributed {@link java.util.concurrent.locks.Lock} on Redis and Valkey. Start at {@link dev.holdfast.Holdfast};
 * what a lock promises, and what it cannot, is in the documentation of {@link dev.holdfast.DistributedLock}.
 */
@NullMarked
package dev.holdfast;

import org.jspecify.annotations.NullMarked;

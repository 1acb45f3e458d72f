/**
 * What is found in a Redis by its keys, which the library has no call for: the names of locks, semaphores and latches, by {@link
 * dev.holdfast.cli.found.LockScan}, and of which kind a lock is.
 */
@NullMarked
package dev.holdfast.cli.found;

import org.jspecify.annotations.NullMarked;

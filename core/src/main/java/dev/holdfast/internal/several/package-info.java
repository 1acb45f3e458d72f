/**
 * Calls for several locks: for any one of the segments of a lock, or for all locks of a set, as a whole or not at all.
 * Each lock is acquired as it would be alone. Internal: not for users.
 */
@NullMarked
package dev.holdfast.internal.several;

import org.jspecify.annotations.NullMarked;

/** Locks as a user sees them, on a Redis that works. */
@NullMarked
package dev.holdfast.client;

import org.jspecify.annotations.NullMarked;

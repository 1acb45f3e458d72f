/** A lock is released: late, deferred, refused, unconfirmed or in vain. */
@NullMarked
package dev.holdfast.fault.release;

import org.jspecify.annotations.NullMarked;

/**
 * Holding a lock: the holds of each owner, their leases, and the commands that end them. Internal: not for users.
 */
@NullMarked
package dev.holdfast.internal.hold;

import org.jspecify.annotations.NullMarked;

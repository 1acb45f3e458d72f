/**
 * Holding a lock: the holds of each owner, the order of an owner's commands, and the releases. When a lease is renewed, and
 * when it is lost, is decided in the {@code watchdog} module. Internal: not for users.
 */
@NullMarked
package dev.holdfast.internal.hold;

import org.jspecify.annotations.NullMarked;

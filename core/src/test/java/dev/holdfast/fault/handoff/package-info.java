/** A lock is handed off from owner to owner within one client, and Redis, the network or an owner fails. */
@NullMarked
package dev.holdfast.fault.handoff;

import org.jspecify.annotations.NullMarked;

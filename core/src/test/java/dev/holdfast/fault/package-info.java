/** Locks while Redis, the network or the client fails. */
@NullMarked
package dev.holdfast.fault;

import org.jspecify.annotations.NullMarked;

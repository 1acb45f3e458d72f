/** Locks while Redis, the network or the client fails: what the packages below this one share. */
@NullMarked
package dev.holdfast.fault;

import org.jspecify.annotations.NullMarked;

/** A connection breaks, delays or loses replies; the server dies, pauses, forgets or refuses what it is sent. */
@NullMarked
package dev.holdfast.fault.connection;

import org.jspecify.annotations.NullMarked;

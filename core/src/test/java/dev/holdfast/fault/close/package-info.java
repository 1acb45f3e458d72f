/** A client is closed while it is in use. */
@NullMarked
package dev.holdfast.fault.close;

import org.jspecify.annotations.NullMarked;

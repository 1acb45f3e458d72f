/** A lease is renewed, is at risk, or ends. */
@NullMarked
package dev.holdfast.fault.renewal;

import org.jspecify.annotations.NullMarked;

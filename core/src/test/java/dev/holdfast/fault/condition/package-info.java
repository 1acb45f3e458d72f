/** Conditions while the network or Redis fails. */
@NullMarked
package dev.holdfast.fault.condition;

import org.jspecify.annotations.NullMarked;

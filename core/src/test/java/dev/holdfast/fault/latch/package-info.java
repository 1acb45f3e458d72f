/** Count-down latches while the network or Redis fails. */
@NullMarked
package dev.holdfast.fault.latch;

import org.jspecify.annotations.NullMarked;

/** Multi-locks and segmented locks. */
@NullMarked
package dev.holdfast.fault.several;

import org.jspecify.annotations.NullMarked;

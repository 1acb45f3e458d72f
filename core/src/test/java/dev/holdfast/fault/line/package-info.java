/** Several clients wait for one lock: grants, wake-ups, and what of them may be lost. */
@NullMarked
package dev.holdfast.fault.line;

import org.jspecify.annotations.NullMarked;

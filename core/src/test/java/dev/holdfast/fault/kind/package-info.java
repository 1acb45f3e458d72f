/** The plain and the fenced lock of one name, and the tokens of the latter. */
@NullMarked
package dev.holdfast.fault.kind;

import org.jspecify.annotations.NullMarked;

/** The scripts of the latch under sequences of commands, and the rules that these keep. */
@NullMarked
package dev.holdfast.script.latch;

import org.jspecify.annotations.NullMarked;

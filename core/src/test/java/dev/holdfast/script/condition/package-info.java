/** The scripts of conditions under sequences of commands, and the model that these follow. */
@NullMarked
package dev.holdfast.script.condition;

import org.jspecify.annotations.NullMarked;

/** The scripts by themselves: each reply of each, and all sequences of the commands of two owners. */
@NullMarked
package dev.holdfast.script;

import org.jspecify.annotations.NullMarked;

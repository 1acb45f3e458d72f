/** Placeholder. */
@NullMarked
package dev.holdfast.examples;

import org.jspecify.annotations.NullMarked;

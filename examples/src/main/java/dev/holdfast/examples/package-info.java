/** Programs that demonstrate Holdfast. Each starts its own Redis and needs no set-up. */
@NullMarked
package dev.holdfast.examples;

import org.jspecify.annotations.NullMarked;

/** Programs that show Holdfast at work. Each brings its own Redis and needs no set-up. */
@NullMarked
package dev.holdfast.examples;

import org.jspecify.annotations.NullMarked;

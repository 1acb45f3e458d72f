/** Tests of what is found in a Redis. */
@NullMarked
package dev.holdfast.cli.found;

import org.jspecify.annotations.NullMarked;

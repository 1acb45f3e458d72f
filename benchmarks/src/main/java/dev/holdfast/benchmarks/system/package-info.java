/** The libraries that are compared, each behind the same small interface. */
@NullMarked
package dev.holdfast.benchmarks.system;

import org.jspecify.annotations.NullMarked;

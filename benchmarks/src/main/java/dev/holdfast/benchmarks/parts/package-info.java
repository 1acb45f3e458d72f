/** Benchmarks of those single parts of the library that are visible outside of their package, without a server. */
@NullMarked
package dev.holdfast.benchmarks.parts;

import org.jspecify.annotations.NullMarked;

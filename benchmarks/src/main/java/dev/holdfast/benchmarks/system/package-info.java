/** The libraries that are compared, each behind the same few methods. */
@NullMarked
package dev.holdfast.benchmarks.system;

import org.jspecify.annotations.NullMarked;

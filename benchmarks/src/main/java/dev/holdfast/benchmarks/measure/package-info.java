/** The arithmetic of a measurement: what is counted, how it is summed up, and who checks that a lock excludes. */
@NullMarked
package dev.holdfast.benchmarks.measure;

import org.jspecify.annotations.NullMarked;

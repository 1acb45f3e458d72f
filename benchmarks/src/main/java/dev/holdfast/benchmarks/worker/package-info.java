/** The processes that contend: their tasks, and their reports. */
@NullMarked
package dev.holdfast.benchmarks.worker;

import org.jspecify.annotations.NullMarked;

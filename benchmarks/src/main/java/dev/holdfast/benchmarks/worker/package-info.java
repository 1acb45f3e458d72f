/** The processes that contend: what each is told to do, and what it reports. */
@NullMarked
package dev.holdfast.benchmarks.worker;

import org.jspecify.annotations.NullMarked;

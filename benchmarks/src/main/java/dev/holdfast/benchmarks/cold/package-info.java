/** Processes that lock for the first time: what a service pays after its start. */
@NullMarked
package dev.holdfast.benchmarks.cold;

import org.jspecify.annotations.NullMarked;

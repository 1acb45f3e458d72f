/** What is measured: each workload is a class, and says how many processes do what for how long. */
@NullMarked
package dev.holdfast.benchmarks.workload;

import org.jspecify.annotations.NullMarked;

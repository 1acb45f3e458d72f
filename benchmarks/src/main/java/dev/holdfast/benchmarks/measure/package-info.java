/** The arithmetic of a measurement: the metrics, their aggregation, and the check of exclusion. */
@NullMarked
package dev.holdfast.benchmarks.measure;

import org.jspecify.annotations.NullMarked;

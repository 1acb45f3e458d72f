/** The presentation of the figures: tables, charts, and a file of all figures. */
@NullMarked
package dev.holdfast.benchmarks.report;

import org.jspecify.annotations.NullMarked;

/** What is made of the figures: tables, charts, and a file of all of them. */
@NullMarked
package dev.holdfast.benchmarks.report;

import org.jspecify.annotations.NullMarked;

/** Holdfast beside its peers on one Redis: the command line, and the course of a run. */
@NullMarked
package dev.holdfast.benchmarks;

import org.jspecify.annotations.NullMarked;

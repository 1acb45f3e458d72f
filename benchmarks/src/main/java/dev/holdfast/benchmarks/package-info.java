/** Holdfast beside its peers on one Redis: which workloads there are, how a run goes, and what is done with its figures. */
@NullMarked
package dev.holdfast.benchmarks;

import org.jspecify.annotations.NullMarked;

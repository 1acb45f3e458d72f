/** The workloads that are measured. Each is a class that defines the processes and their tasks. */
@NullMarked
package dev.holdfast.benchmarks.workload;

import org.jspecify.annotations.NullMarked;

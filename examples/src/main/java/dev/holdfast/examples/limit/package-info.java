/**
 * A service that nine processes call, four at once, under a semaphore. {@link dev.holdfast.examples.limit.LimitDemo} kills one of them
 * in a call, and shows how many calls there were at once, and when its permit has come back.
 *
 * <p>The service is in the parent ({@code Service}), and counts ({@code Occupancy}, {@code Count}); each process calls it until its
 * parent ends it ({@code WorkerProcess}). The parent controls them ({@code LimitRun}); the evaluation is pure ({@code LimitOutcome}).
 */
@NullMarked
package dev.holdfast.examples.limit;

import org.jspecify.annotations.NullMarked;

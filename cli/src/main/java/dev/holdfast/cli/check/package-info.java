/**
 * What {@code holdfast check} asks of a deployment of Redis before the first lock, and what it concludes.
 *
 * <p>{@link dev.holdfast.cli.check.Checkup} asks, through {@code Survey} and {@code Link}; the answers are records. What follows from
 * them is decided by pure functions, the classes whose names end with {@code Checks}, and is a list of {@link
 * dev.holdfast.cli.check.Finding}s. An answer that the server refuses is a note, and never passes for a good one.
 */
@NullMarked
package dev.holdfast.cli.check;

import org.jspecify.annotations.NullMarked;

/**
 * The program {@code holdfast}: runs a command under a lock, shows, awaits and forces open locks, uses latches, and
 * checks a deployment.
 *
 * <p>What a user may write stands in four tables, from which the parser, the help and the man page are made:
 * {@link Command}, {@link Option}, {@link Variable} and {@link ExitCode}.
 */
@NullMarked
package dev.holdfast.cli;

import org.jspecify.annotations.NullMarked;

/**
 * A holder that is stopped for longer than its lease, and writes when it wakes up. {@link
 * dev.holdfast.examples.stale.StaleHolderDemo} shows it twice: with a guard beside the data, which refuses the late write by
 * its fencing token, and without one, where the write of the holder in between is lost.
 *
 * <p>Two processes take turns at an account ({@code TellerProcess}, {@code Account}); the one that starts them stops and
 * resumes the first ({@code StaleHolderRun}, {@code Teller}); what is made of it is pure ({@code Outcome}).
 */
@NullMarked
package dev.holdfast.examples.stale;

import org.jspecify.annotations.NullMarked;

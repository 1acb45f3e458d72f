/**
 * A holder that is stopped for longer than its lease, and writes when it is resumed. {@link
 * dev.holdfast.examples.stale.StaleHolderDemo} shows two cases: with a guard beside the data, which refuses the late
 * write by its fencing token, and without a guard, where the write of the holder in between is lost.
 *
 * <p>Two processes change one account ({@code TellerProcess}, {@code Account}); their parent stops and resumes the
 * first ({@code StaleHolderRun}, {@code Teller}); the evaluation is pure ({@code Outcome}).
 */
@NullMarked
package dev.holdfast.examples.stale;

import org.jspecify.annotations.NullMarked;

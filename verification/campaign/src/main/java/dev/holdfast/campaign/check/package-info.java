/**
 * The checkers: each examines a {@link dev.holdfast.campaign.history.History} and reports what violates a promise of
 * {@code docs/guarantees.md}. {@link dev.holdfast.campaign.check.Checker#all} has all of them.
 *
 * <p>A checker is a pure function. It reports only what is <em>certainly</em> wrong, whatever happened between two
 * recorded moments: each time in a history is on the side that makes its record true, and each bound here is on the
 * side of the lock. What a checker cannot decide is reported as undecided, never as correct. It also counts what it has
 * judged, since a rule that judged nothing has shown nothing.
 */
@NullMarked
package dev.holdfast.campaign.check;

import org.jspecify.annotations.NullMarked;

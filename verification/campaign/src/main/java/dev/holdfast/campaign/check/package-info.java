/**
 * Whether locks told the truth: checkers that look at a {@link dev.holdfast.campaign.history.History} and say what in it
 * breaks a promise of {@code docs/guarantees.md}. {@link dev.holdfast.campaign.check.Checker#all} has all of them.
 *
 * <p>A checker is a pure function. It complains of what is <em>certainly</em> wrong, whatever happened between two
 * recorded moments: each time in a history is on the side that makes what it says true, each bound here on the side of
 * the lock. What it cannot decide it calls undecided, never fine; and it counts what it judged, for to judge nothing is
 * no success.
 */
@NullMarked
package dev.holdfast.campaign.check;

import org.jspecify.annotations.NullMarked;

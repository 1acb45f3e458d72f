/** A run: rounds one after the other, each with processes, a nemesis and verdicts, and the report on all of them. */
@NullMarked
package dev.holdfast.campaign.run;

import org.jspecify.annotations.NullMarked;

/**
 * What happens in a round, drawn from a seed: who takes part, what each actor does, and which faults come when. The same seed
 * gives the same schedule in every JVM; what the machine makes of it differs each time.
 */
@NullMarked
package dev.holdfast.campaign.schedule;

import org.jspecify.annotations.NullMarked;

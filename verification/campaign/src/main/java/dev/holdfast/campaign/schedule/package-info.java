/**
 * The schedule of a round, drawn from a seed: the clients, the turns of each actor, and the faults with their times.
 * The same seed gives the same schedule in every JVM; how the machine interleaves it differs each time.
 */
@NullMarked
package dev.holdfast.campaign.schedule;

import org.jspecify.annotations.NullMarked;

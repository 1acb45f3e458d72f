/**
 * The processes of the clients: each takes part in one round after the other, with a client of its own in each, and writes down
 * what its actors did and saw.
 */
@NullMarked
package dev.holdfast.campaign.worker;

import org.jspecify.annotations.NullMarked;

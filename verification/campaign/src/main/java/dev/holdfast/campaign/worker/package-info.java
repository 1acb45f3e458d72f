/**
 * The processes of the clients: each takes part in one round after the other, with a new client in each, and records
 * what its actors did and observed.
 */
@NullMarked
package dev.holdfast.campaign.worker;

import org.jspecify.annotations.NullMarked;

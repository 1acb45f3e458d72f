/**
 * Locks that are wrong in one way each, and one that is right, used in the same way on a real Redis: what they did is
 * recorded in journals, and the checkers must tell them apart.
 */
@NullMarked
package dev.holdfast.campaign.twins;

import org.jspecify.annotations.NullMarked;

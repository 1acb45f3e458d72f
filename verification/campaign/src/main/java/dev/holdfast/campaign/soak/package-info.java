/**
 * The soak: a few processes use the locks for hours under a fault each minute, and what they need must not grow. Unlike a round of
 * the campaign, the processes live on, and no history is kept.
 */
@NullMarked
package dev.holdfast.campaign.soak;

import org.jspecify.annotations.NullMarked;

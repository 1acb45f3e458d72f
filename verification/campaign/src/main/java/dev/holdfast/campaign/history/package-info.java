/**
 * What happened in a campaign: events with monotonic times, the journals they are written to, and the history that many
 * journals make together. {@link dev.holdfast.campaign.history.Event} says what can be recorded, and what each time means.
 *
 * <p>Those who use locks write a {@link dev.holdfast.campaign.history.Journal} each; those who judge read a {@link
 * dev.holdfast.campaign.history.History}. Nothing here knows what is right or wrong.
 */
@NullMarked
package dev.holdfast.campaign.history;

import org.jspecify.annotations.NullMarked;

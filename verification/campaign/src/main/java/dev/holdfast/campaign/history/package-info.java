/**
 * The history of a campaign: events with monotonic times, the journals that they are written to, and the history that
 * the journals of all processes form together. {@link dev.holdfast.campaign.history.Event} defines what is recorded,
 * and what each time means.
 *
 * <p>Each process that uses locks writes a {@link dev.holdfast.campaign.history.Journal}; the checkers read a {@link
 * dev.holdfast.campaign.history.History}. This package contains no rules.
 */
@NullMarked
package dev.holdfast.campaign.history;

import org.jspecify.annotations.NullMarked;

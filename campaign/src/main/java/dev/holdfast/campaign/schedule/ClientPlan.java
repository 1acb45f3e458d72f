package dev.holdfast.campaign.schedule;

import java.util.List;

/**
 * A client of a round, in a process of its own.
 *
 * @param index of its process, from 0
 * @param library whose locks it uses
 * @param actors who takes turns in it
 */
public record ClientPlan(int index, Library library, List<ActorPlan> actors) {}

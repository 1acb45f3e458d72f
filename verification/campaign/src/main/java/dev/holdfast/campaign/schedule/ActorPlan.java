package dev.holdfast.campaign.schedule;

/**
 * One who takes turns at the locks.
 *
 * @param name of the actor within its client
 * @param kind how it asks for locks
 * @param seed of its turns
 */
public record ActorPlan(String name, ActorKind kind, long seed) {}

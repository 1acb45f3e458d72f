package dev.holdfast.campaign.schedule;

/**
 * An actor, which takes turns at the locks.
 *
 * @param name the actor's name within its client
 * @param kind the API that it uses, and its pattern of use
 * @param seed the seed of its turns
 */
public record ActorPlan(String name, ActorKind kind, long seed) {}

package dev.holdfast.campaign.schedule;

import java.time.Duration;
import java.util.List;

/**
 * All that is decided about a round beforehand.
 *
 * @param seed it was drawn from
 * @param watchdogTimeout of all clients
 * @param longestLease the longest explicit lease; long ones are only taken where no client is killed, so that a lock which
 *     stays taken for so long is somebody's mistake
 * @param distance how far away Redis is: what each way to it or back takes, for every client. The longer that is, the more
 *     can come in between
 * @param beat by which all come, if they do
 * @param locks their names
 * @param fenced which of them are taken as fenced locks
 * @param clients who takes part
 * @param faults in the order of their beginnings
 * @param calm how long all go on after the last fault
 */
public record RoundPlan(
        long seed,
        Duration watchdogTimeout,
        Duration longestLease,
        Duration distance,
        Beat beat,
        List<String> locks,
        List<String> fenced,
        List<ClientPlan> clients,
        List<FaultPlan> faults,
        Duration calm) {
    /** What a busy machine may add to anything. */
    private static final Duration SLACK = Duration.ofSeconds(4);

    /** How many actors a client has in a quiet round. */
    static final int QUIET = 2;

    /** {@return what it is about} */
    public Theme theme() {
        return Theme.of(seed);
    }

    /** {@return whether this lock is taken as a fenced one} */
    public boolean isFenced(String lock) {
        return fenced.contains(lock);
    }

    /**
     * {@return whether few take part, who rest for long} Then a lock is free at times; and what somebody misses is not made up for
     * by the next who comes by.
     */
    public boolean isQuiet() {
        return clients.stream().allMatch(client -> client.actors().size() <= QUIET) && theme() == Theme.GENERAL;
    }

    /** {@return whether a client is killed, and what it held stays until its lease ends} */
    public boolean kills() {
        return faults.stream().anyMatch(fault -> fault.kind() == FaultKind.CLIENT_KILLED);
    }

    /** {@return whether what a client holds stays until its lease ends, since it is killed, or closed with it} */
    public boolean abandons() {
        return kills() || theme() == Theme.CLOSED;
    }

    /** {@return how long after the calm whoever waits may still wait} */
    public Duration patience() {
        return watchdogTimeout.multipliedBy(2).plus(SLACK);
    }

    /** {@return what the actor of that client does, turn by turn; a client that takes the place of another does other things} */
    public Turns turns(ActorPlan actor, int generation) {
        return new Turns(new Dice(actor.seed() + generation), this, actor.kind());
    }
}

package dev.holdfast.campaign.schedule;

import dev.holdfast.testkit.topology.Slots;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The plan of a round.
 *
 * @param seed the seed that it was drawn from
 * @param theme the theme of its clients and faults, which is another one than that of the seed if two builds take part
 * @param watchdogTimeout the watchdog timeout of all clients
 * @param longestLease the longest explicit lease; it is longer than the watchdog timeout only if no client leaves holds
 *     behind, so that a lock which stays held for so long is a defect
 * @param distance the distance of Redis: the time that each request and each reply takes, for every client. The longer
 *     it is, the more can happen in between
 * @param arrivals the common schedule of arrivals, if there is one
 * @param locks their names
 * @param fenced the locks that are used as fenced locks
 * @param clients the participants
 * @param faults in the order of their beginnings
 * @param calm how long the actors continue after the last fault
 * @param replicas the number of replicas that must have each grant, which are all that a master has; 0 if the locks are
 *     not replicated
 */
public record RoundPlan(
        long seed,
        Theme theme,
        Duration watchdogTimeout,
        Duration longestLease,
        Duration distance,
        ArrivalSchedule arrivals,
        List<String> locks,
        List<String> fenced,
        List<ClientPlan> clients,
        List<FaultPlan> faults,
        Duration calm,
        int replicas) {
    /** The time that a busy machine may add to any operation. */
    private static final Duration SLACK = Duration.ofSeconds(4);

    /** The count of each latch. */
    public static final int LATCH_COUNT = 3;

    /** The lifetime of each latch: longer than a turn at it. */
    public static final Duration LATCH_LIFETIME = Duration.ofSeconds(4);

    /** Many times as many as there are slots. */
    private static final int LATCHES = 1_000_000;

    /** What the keys of semaphores begin with. */
    public static final String SEMAPHORES = "holdfast_semaphore:";

    /** The number of permits that most clients name. */
    public static final int FEW_PERMITS = 4;

    public static final int MANY_PERMITS = 10;

    /** What the keys of the wait sets of conditions begin with. */
    public static final String CONDITIONS = "holdfast_condition:";

    /** The largest number of actors of a client in a quiet round. */
    static final int QUIET = 2;

    /** {@return whether this lock is used as a fenced one} */
    public boolean isFenced(String lock) {
        return fenced.contains(lock);
    }

    /** {@return whether all locks are used as fair ones} */
    public boolean isFair() {
        return theme == Theme.FAIR;
    }

    /** {@return how many permits of a semaphore there are, as this client says: at one of them, not all say the same} */
    public int limit(String semaphore, ClientPlan client) {
        return switch (Schedule.LOCKS.indexOf(semaphore)) {
            case 0 -> FEW_PERMITS;
            case 1 -> client.index() == 0 ? MANY_PERMITS : FEW_PERMITS;
            default -> MANY_PERMITS;
        };
    }

    /** {@return the name of the condition of a lock for which actors of this kind wait; empty for the one without a name} */
    public static Optional<String> condition(String lock, ActorKind kind) {
        return Schedule.LOCKS.indexOf(lock) == 1
                ? Optional.empty()
                : Optional.of(kind == ActorKind.PRODUCER ? "not full" : "not empty");
    }

    /** {@return how many items there can be in the buffer that this lock guards} */
    public static int capacity(String lock) {
        return 1 + Schedule.LOCKS.indexOf(lock);
    }

    /** {@return how long a wait for a condition may take: longer than until a client has found that a signal was lost} */
    public static Duration longestAwait(Duration watchdogTimeout) {
        return watchdogTimeout.multipliedBy(2).plus(SLACK);
    }

    /** {@return the name of a latch with this number or more, so that in a cluster it is in the slot of this lock} */
    public static String latch(String lock, long number) {
        return LongStream.iterate(number * LATCHES, next -> next + 1)
                .mapToObj(next -> lock + ":" + next)
                .filter(name -> Slots.of(name) == Slots.of(lock))
                .findFirst()
                .orElseThrow();
    }

    /** {@return the keys of the locks, or of the semaphores, in Redis} */
    public List<String> keys() {
        return theme.isOfSemaphores()
                ? locks.stream().map(RoundPlan::semaphoreKey).toList()
                : locks;
    }

    private static String semaphoreKey(String name) {
        return SEMAPHORES + (name.contains("{") ? name : "{" + name + "}");
    }

    /** {@return the locks that are segments of the segmented lock, in their order; empty if the round has none} */
    public List<String> segments() {
        return locks.stream()
                .filter(lock -> lock.startsWith(Schedule.SEGMENTED + ":"))
                .sorted()
                .toList();
    }

    /**
     * {@return for how long a lock stays busy after its release, at most; longer than any lease that is renewed} If locks
     * are replicated, until a master that was killed is there again, since none is granted before that. And for how long a latch
     * has a count that nobody counts down.
     */
    public Duration longestKeep() {
        if (theme.isOfLatches()) {
            return LATCH_LIFETIME;
        }
        if (!closesAfter()) {
            return Duration.ZERO;
        }
        return isReplicated()
                ? watchdogTimeout.multipliedBy(7).dividedBy(2)
                : watchdogTimeout.multipliedBy(3).dividedBy(2);
    }

    private boolean closesAfter() {
        return clients.stream()
                .flatMap(client -> client.actors().stream())
                .anyMatch(actor -> ActorKind.CLOSING_AFTER.contains(actor.kind()));
    }

    /**
     * {@return whether there are few actors, with long rests} A lock is then free at times, and a wake-up that one
     * actor misses is not made up for by the arrival of another.
     */
    public boolean isQuiet() {
        return clients.stream().allMatch(client -> client.actors().size() <= QUIET) && theme() == Theme.GENERAL;
    }

    /** {@return whether all clients have the rights to join the line of clients} */
    public boolean joinsLines() {
        return clients.stream().allMatch(client -> client.rights().joinLines());
    }

    /** {@return whether one lock is held for most of the time} */
    boolean hoards() {
        return clients.stream()
                .flatMap(client -> client.actors().stream())
                .anyMatch(actor -> actor.kind() == ActorKind.HOARDER);
    }

    /** {@return the names of the clients whose Redis users may acquire no lock} */
    public Set<String> refused() {
        return clients.stream()
                .filter(client -> client.rights() == Rights.NO_END)
                .map(client -> ClientPlan.user(client.index()))
                .collect(Collectors.toSet());
    }

    /** {@return whether a client is killed, so that its holds stay until their leases end} */
    public boolean kills() {
        return faults.stream().anyMatch(fault -> fault.kind() == FaultKind.CLIENT_KILLED);
    }

    /**
     * {@return whether a client leaves holds behind that stay until their leases end, since it is killed, or closed
     * while it has them}
     */
    public boolean abandons() {
        return kills()
                || theme() == Theme.CLOSED
                || faults.stream().anyMatch(fault -> fault.kind() == FaultKind.CLIENT_CLOSED);
    }

    /** {@return whether the locks are replicated, so that no master that is replaced loses one that was granted} */
    public boolean isReplicated() {
        return replicas > 0;
    }

    /** {@return whether each actor has a client of its own, of which there are some twenty} */
    public boolean isCrowded() {
        return clients.stream().anyMatch(ClientPlan::apart);
    }

    /** {@return whether a client of another library takes part} */
    public boolean hasGuest() {
        return clients.stream().anyMatch(client -> client.library() == Library.REDISSON);
    }

    /**
     * {@return the same round, in which every other client is of an earlier build}
     *
     * @param drawn the seed of the round of two builds
     * @param first the index of the first client of the earlier build, 0 or 1
     */
    RoundPlan withEarlierBuild(long drawn, int first) {
        List<ClientPlan> both = clients.stream()
                .map(client -> client.index() % 2 == first ? client.ofEarlierBuild() : client)
                .toList();
        return new RoundPlan(
                drawn,
                theme,
                watchdogTimeout,
                longestLease,
                distance,
                arrivals,
                locks,
                fenced,
                both,
                faults,
                calm,
                replicas);
    }

    /**
     * {@return how long a call may still wait after the calm} If locks are replicated, most keepers let them stay busy for
     * long: each that waits does so once more, one after another, after a delay that has begun.
     */
    public Duration patience() {
        long keepers = clients.stream()
                .flatMap(client -> client.actors().stream())
                .filter(actor -> actor.kind() == ActorKind.KEEPER)
                .count();
        return watchdogTimeout
                .multipliedBy(2)
                .plus(longestKeep().multipliedBy(isReplicated() ? Math.max(2, keepers + 1) : 2))
                .plus(SLACK);
    }

    /** {@return the turns of this actor; a client that replaces another has other ones} */
    public Turns turns(ActorPlan actor, int generation) {
        return new Turns(new Dice(actor.seed() + generation), this, actor.kind());
    }
}

package dev.holdfast.campaign.schedule;

import dev.holdfast.campaign.schedule.FaultKind.Span;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Draws rounds: the general ones here, and which ones two builds share; the others by {@link Themed}. */
public final class Schedule {
    /** The largest number of processes of most rounds. */
    private static final int MOST_CLIENTS = 3;

    /** The number of processes of a round that needs more. */
    static final int MORE_CLIENTS = 4;

    static final List<String> LOCKS = List.of("orders:42", "stock", "{tenant-7}:ledger");
    /** The name of the segmented lock, and the locks of its segments. */
    public static final String SEGMENTED = "stock:parts";

    static final List<String> SEGMENTS = List.of(SEGMENTED + ":0", SEGMENTED + ":1", SEGMENTED + ":2");

    private static final int FAULTS = 6;
    /** A waiter that misses a wake-up sleeps for this time, which is longer than a wake-up takes on a busy machine. */
    static final Duration SHORTEST_WATCHDOG = Duration.ofSeconds(2);

    static final Duration LONGEST_WATCHDOG = Duration.ofSeconds(3);
    /**
     * Many times a round trip within one machine, and no more than one between two sites of a provider. Only quiet
     * rounds have a distance: the farther Redis is, the longer a turn takes, and under constant contention a slow
     * client that loses one race after another would look like one that sleeps.
     */
    private static final Duration FARTHEST = Duration.ofMillis(8);

    /** Longer than a channel without subscribers is kept. */
    private static final Duration COMING_BACK = Duration.ofSeconds(3);

    static final Duration LONG_LEASE = Duration.ofSeconds(30);
    /**
     * The time before the first fault. No client has to recover then, so no delay of a waiter is excused. The calm at
     * the end is shorter than what a client may need to recover from the last fault.
     */
    static final Duration PEACE = Duration.ofSeconds(3);

    static final Duration CALM = Duration.ofMillis(2_500);

    /** The themes in which clients wait for each other's releases. */
    private static final List<Theme> SHARED = List.of(
            Theme.GENERAL,
            Theme.GENERAL,
            Theme.CROWD,
            Theme.CROWD,
            Theme.MIXED,
            Theme.UNSUBSCRIBED,
            Theme.UNAWAITED,
            Theme.TOGETHER,
            Theme.SEGMENTS,
            Theme.KEPT_BUSY,
            Theme.CLUSTER,
            Theme.SENTINEL);

    private Schedule() {}

    /**
     * {@return the seeds of the rounds of a run, in order}
     *
     * @param versions whether there is an earlier build, and so {@link Theme#VERSIONS} is played as well
     */
    public static LongSupplier seeds(long seed, boolean versions) {
        return new Deal(seed, versions, Optional.empty());
    }

    /** {@return the seeds of the rounds of a run in which all rounds have this theme} */
    public static LongSupplier seeds(long seed, Theme only) {
        return new Deal(seed, only == Theme.VERSIONS, Optional.of(only));
    }

    /** {@return the round of this seed; the same for each call} */
    public static RoundPlan round(long seed) {
        return switch (Theme.of(seed)) {
            case GENERAL -> general(seed);
            case VERSIONS -> ofTwoBuilds(seed);
            default -> Themed.round(seed);
        };
    }

    private static RoundPlan ofTwoBuilds(long seed) {
        Dice dice = new Dice(seed);
        RoundPlan shared = round(dice.oneOf(SHARED).seed(dice.seed()));
        return shared.withEarlierBuild(seed, dice.below(2));
    }

    private static RoundPlan general(long seed) {
        Dice dice = new Dice(seed);
        boolean redisson = dice.chance(25);
        Duration watchdogTimeout = dice.between(SHORTEST_WATCHDOG, LONGEST_WATCHDOG);
        List<String> locks = dice.shuffled(LOCKS).subList(0, 1 + dice.below(LOCKS.size()));
        List<String> fenced = locks.stream().filter(lock -> dice.chance(50)).toList();
        boolean quiet = dice.chance(30);
        List<ClientPlan> clients = clients(dice, redisson, quiet);
        int victims = redisson ? clients.size() - 1 : clients.size();
        List<FaultPlan> faults = faults(dice, redisson, watchdogTimeout, victims, locks.size());
        boolean kills = faults.stream().anyMatch(fault -> fault.kind() == FaultKind.CLIENT_KILLED);
        Duration longestLease = kills ? watchdogTimeout : LONG_LEASE;
        Duration distance = quiet && dice.chance(70) ? dice.upTo(FARTHEST) : Duration.ZERO;
        ArrivalSchedule arrivals = quiet && dice.chance(50)
                ? new ArrivalSchedule(COMING_BACK.dividedBy(locks.size()), locks)
                : ArrivalSchedule.none();
        return new RoundPlan(
                seed,
                Theme.GENERAL,
                watchdogTimeout,
                longestLease,
                distance,
                arrivals,
                locks,
                fenced,
                clients,
                faults,
                CALM,
                0);
    }

    private static List<ClientPlan> clients(Dice dice, boolean redisson, boolean quiet) {
        List<ClientPlan> clients = new ArrayList<>();
        int count = redisson ? MOST_CLIENTS : 2 + dice.below(MOST_CLIENTS - 1);
        for (int index = 0; index < count; index++) {
            boolean guest = redisson && index == count - 1;
            List<ActorKind> kinds = guest
                    ? List.of(ActorKind.BLOCKING, ActorKind.BLOCKING)
                    : quiet ? some(dice, RoundPlan.QUIET, ActorKind.ORDINARY) : allAndSome(dice);
            List<ActorPlan> actors = IntStream.range(0, kinds.size())
                    .mapToObj(i -> new ActorPlan("a" + i, kinds.get(i), dice.seed()))
                    .toList();
            clients.add(ClientPlan.of(index, guest ? Library.REDISSON : Library.HOLDFAST, actors));
        }
        return clients;
    }

    private static List<ActorKind> allAndSome(Dice dice) {
        List<ActorKind> more = some(dice, 1 + dice.below(3), ActorKind.ANYWHERE);
        return Stream.concat(ActorKind.ORDINARY.stream(), more.stream()).toList();
    }

    private static List<ActorKind> some(Dice dice, int count, List<ActorKind> kinds) {
        return IntStream.range(0, count).mapToObj(i -> dice.oneOf(kinds)).toList();
    }

    /** {@return faults of every kind of a single server, its clients and their links} */
    static List<FaultPlan> faults(Dice dice, boolean redisson, Duration watchdogTimeout, int victims, int locks) {
        List<FaultKind> kinds = dice.shuffled(List.of(FaultKind.values())).stream()
                .filter(kind -> kind != FaultKind.KEY_FORBIDDEN
                        && kind != FaultKind.CLIENT_CLOSED
                        && kind.target() != FaultKind.Target.MASTER)
                .filter(kind -> !redisson || kind.sparesRedisson())
                .limit(FAULTS)
                .toList();
        List<FaultPlan> faults = new ArrayList<>();
        for (FaultKind kind : kinds) {
            Duration length = length(dice, kind.span(), watchdogTimeout);
            FaultPlan alone = new FaultPlan(
                    faults.size() + 1,
                    kind,
                    faults.isEmpty() ? PEACE.plus(gap(dice, watchdogTimeout)) : gap(dice, watchdogTimeout),
                    false,
                    length,
                    dice.below(victims),
                    dice.below(locks));
            boolean overlaps = dice.chance(40) && canBeginWithin(faults, alone);
            faults.add(overlaps ? within(faults.get(faults.size() - 1), alone, dice) : alone);
        }
        return faults;
    }

    /** At most two faults last at once. */
    private static boolean canBeginWithin(List<FaultPlan> before, FaultPlan next) {
        if (before.isEmpty()) {
            return false;
        }
        FaultPlan last = before.get(before.size() - 1);
        return !last.overlaps() && !last.length().isZero() && last.isApartFrom(next);
    }

    private static FaultPlan within(FaultPlan last, FaultPlan next, Dice dice) {
        return new FaultPlan(
                next.number(), next.kind(), dice.upTo(last.length()), true, next.length(), next.client(), next.lock());
    }

    /** Some faults begin right after another, and some so late that a recovery which takes a lease has ended. */
    private static Duration gap(Dice dice, Duration watchdogTimeout) {
        int kind = dice.below(100);
        if (kind < 20) {
            return Duration.ZERO;
        }
        return kind < 35
                ? dice.between(
                        watchdogTimeout.multipliedBy(11).dividedBy(10),
                        watchdogTimeout.multipliedBy(3).dividedBy(2))
                : dice.between(Duration.ofMillis(200), Duration.ofMillis(1_000));
    }

    static Duration length(Dice dice, Span span, Duration watchdogTimeout) {
        return switch (span) {
            case INSTANT -> Duration.ZERO;
            case SHORT -> dice.between(watchdogTimeout.dividedBy(20), watchdogTimeout.dividedBy(2));
            case PAST_THE_LEASE ->
                dice.between(
                        watchdogTimeout.multipliedBy(11).dividedBy(10),
                        watchdogTimeout.multipliedBy(3).dividedBy(2));
        };
    }
}

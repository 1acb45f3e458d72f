package dev.holdfast.campaign.schedule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Draws the rounds of one theme each. A situation that must last in order to be detected is not interrupted by other
 * faults: the only faults are those of the theme, if it has any. Confined to one thread.
 */
final class Themed {
    /** Several times as long as the rules need to detect a waiter that is passed over. */
    private static final Duration UNDISTURBED = Duration.ofSeconds(8);

    /** Long enough that a call is in progress when its caller gives up. */
    private static final Duration NEAR = Duration.ofMillis(2);

    private static final int A_LINE = 4;

    /** How many times as long leases are where masters are replaced: longer than a failover takes. */
    private static final int FAILOVER = 3;

    private static final Set<Theme> MOVING = EnumSet.of(Theme.CLUSTER, Theme.SENTINEL);

    /** The number of replicas that each master has. */
    private static final int ALL_OF_A_CLUSTER = 1;

    private static final int ALL_UNDER_SENTINELS = 2;

    /** The number of clients in a crowd. */
    private static final int CROWD = 20;

    private final long seed;
    private final Dice dice;
    private final Duration watchdogTimeout;
    private final List<ClientPlan> clients = new ArrayList<>();
    private final List<FaultPlan> faults = new ArrayList<>();
    private Duration distance = Duration.ZERO;
    private Duration longestLease;
    private Duration calm = UNDISTURBED;
    private int locks = 1;
    private int replicas;

    private Themed(long seed) {
        this.seed = seed;
        this.dice = new Dice(seed);
        Duration drawn = dice.between(Schedule.SHORTEST_WATCHDOG, Schedule.LONGEST_WATCHDOG);
        this.watchdogTimeout = MOVING.contains(Theme.of(seed)) ? drawn.multipliedBy(FAILOVER) : drawn;
        this.longestLease = Schedule.LONG_LEASE;
    }

    /** {@return the round of this seed, which has a theme other than {@link Theme#GENERAL}} */
    static RoundPlan round(long seed) {
        Themed themed = new Themed(seed);
        themed.draw();
        List<String> locks = themed.dice.shuffled(Schedule.LOCKS).subList(0, themed.locks);
        List<String> fenced =
                locks.stream().filter(lock -> themed.dice.chance(50)).toList();
        return new RoundPlan(
                seed,
                themed.watchdogTimeout,
                themed.longestLease,
                themed.distance,
                ArrivalSchedule.none(),
                locks,
                fenced,
                themed.clients,
                themed.faults,
                themed.calm,
                themed.replicas);
    }

    private void draw() {
        switch (Theme.of(seed)) {
            case POLLERS -> pollers();
            case GIVEN_UP -> givenUp();
            case MIXED -> mixed();
            case CROSSED -> crossed();
            case UNSUBSCRIBED -> unsubscribed();
            case UNAWAITED -> unawaited();
            case CALLBACKS -> callbacks();
            case CLOSED -> closed();
            case FEW_RIGHTS -> fewRights();
            case CROWD -> crowd();
            case CLUSTER, SENTINEL -> failover();
            case GENERAL -> throw new IllegalArgumentException("a general round has no theme, was " + seed);
        }
    }

    private void pollers() {
        add(Library.HOLDFAST, times(A_LINE, ActorKind.RESTLESS), List.of(ActorKind.POLLER));
        add(Library.HOLDFAST, times(2, ActorKind.POLLER));
        add(Library.REDISSON, times(2, ActorKind.POLLER));
    }

    private void givenUp() {
        locks = 1 + dice.below(2);
        distance = dice.upTo(NEAR);
        for (int client = 0; client < 2; client++) {
            add(Library.HOLDFAST, times(2, ActorKind.WAVERING), times(2, ActorKind.WAVERING_OWNED));
        }
    }

    private void mixed() {
        add(Library.HOLDFAST, times(A_LINE, ActorKind.RESTLESS), List.of(ActorKind.BLOCKING, ActorKind.OWNED));
        add(Library.HOLDFAST, times(1, ActorKind.POLLER));
    }

    private void crossed() {
        locks = 1 + dice.below(2);
        List<ActorKind> some = List.of(ActorKind.BLOCKING, ActorKind.ASYNC, ActorKind.OWNED);
        add(Library.HOLDFAST, some, some);
        add(Library.HOLDFAST, some, List.of(ActorKind.HANDLE));
    }

    private void unsubscribed() {
        add(Library.HOLDFAST, times(A_LINE, ActorKind.RESTLESS));
        add(Library.HOLDFAST, times(2, ActorKind.RESTLESS));
        for (int number = 1; number <= 2; number++) {
            Duration length = watchdogTimeout.plus(dice.upTo(watchdogTimeout));
            faults.add(new FaultPlan(number, FaultKind.UNSUBSCRIBED, Schedule.PEACE, false, length, 0, 0));
        }
        calm = Schedule.CALM;
    }

    private void unawaited() {
        add(Library.HOLDFAST, times(1, ActorKind.RESTLESS_HANDLE));
        add(Library.HOLDFAST, times(1, ActorKind.RESTLESS));
        clients.set(0, clients.get(0).withUnawaitedReleases());
    }

    private void callbacks() {
        locks = 2;
        for (int client = 0; client < 2; client++) {
            add(Library.HOLDFAST, times(6, ActorKind.CALLBACK), List.of(ActorKind.BLOCKING));
        }
    }

    private void closed() {
        locks = 2;
        longestLease = watchdogTimeout;
        calm = Schedule.PEACE;
        List<ClosingKind> kinds = dice.shuffled(
                List.of(ClosingKind.INTERRUPTED, ClosingKind.IN_CALLBACK, ClosingKind.BESIDE_BLOCKED_CALLBACK));
        for (ClosingKind kind : kinds) {
            add(Library.HOLDFAST, dice.shuffled(ActorKind.ORDINARY).subList(0, 2));
            clients.set(clients.size() - 1, clients.get(clients.size() - 1).with(kind));
        }
    }

    private void fewRights() {
        locks = 2;
        add(Library.HOLDFAST, List.of(ActorKind.BLOCKING, ActorKind.OWNED));
        add(Library.HOLDFAST, times(2, ActorKind.RESTLESS), List.of(ActorKind.BLOCKING, ActorKind.ASYNC));
        add(Library.HOLDFAST, ActorKind.ORDINARY);
        clients.set(0, clients.get(0).with(Rights.NO_END));
        clients.set(1, clients.get(1).with(Rights.NO_AUDIENCE));
        clients.set(2, clients.get(2).with(Rights.OWN));
        Duration length = watchdogTimeout.plus(dice.upTo(watchdogTimeout));
        faults.add(new FaultPlan(1, FaultKind.KEY_FORBIDDEN, Schedule.PEACE, false, length, 2, dice.below(locks)));
        calm = Schedule.PEACE;
    }

    private void crowd() {
        boolean redisson = dice.chance(40);
        int processes = redisson ? Schedule.MORE_CLIENTS - 1 : Schedule.MORE_CLIENTS;
        locks = dice.chance(70) ? 1 : 2;
        longestLease = watchdogTimeout;
        calm = UNDISTURBED.dividedBy(2);
        boolean poller = dice.chance(40);
        addCrowd(processes, times(poller ? 1 : 0, ActorKind.POLLER));
        if (redisson) {
            add(Library.REDISSON, times(1, ActorKind.RESTLESS));
        }
        faults.addAll(new CrowdFaults(dice, watchdogTimeout, processes).draw());
    }

    /** @param one the kind of one client that differs, if there is one */
    private void addCrowd(int processes, List<ActorKind> one) {
        int different = one.isEmpty() ? processes : dice.below(processes);
        for (int client = 0; client < processes; client++) {
            add(
                    Library.HOLDFAST,
                    times(CROWD / processes - 2, ActorKind.RESTLESS),
                    List.of(ActorKind.IMPATIENT, client == different ? one.get(0) : ActorKind.RESTLESS_HANDLE));
            clients.set(client, clients.get(client).withActorsApart());
        }
    }

    /** Clients of some kinds, a crowd, clients whose locks are replicated, or a Redisson client beside others. */
    private void failover() {
        longestLease = watchdogTimeout;
        calm = Schedule.PEACE;
        boolean cluster = Theme.of(seed) == Theme.CLUSTER;
        int drawn = dice.below(100);
        boolean crowd = drawn < 25;
        boolean redisson = drawn >= 75;
        locks = crowd ? 1 + dice.below(2) : Schedule.LOCKS.size();
        if (crowd) {
            addCrowd(Schedule.MORE_CLIENTS, List.of(ActorKind.LASTING));
        } else {
            add(Library.HOLDFAST, ActorKind.ORDINARY, List.of(ActorKind.RESTLESS, ActorKind.LASTING));
            add(Library.HOLDFAST, ActorKind.ORDINARY, times(2, ActorKind.RESTLESS));
            add(
                    redisson ? Library.REDISSON : Library.HOLDFAST,
                    times(2, redisson ? ActorKind.BLOCKING : ActorKind.RESTLESS),
                    redisson ? List.of() : List.of(ActorKind.IMPATIENT));
        }
        if (drawn >= 25 && drawn < 50) {
            replicas = cluster ? ALL_OF_A_CLUSTER : ALL_UNDER_SENTINELS;
        }
        int victims = redisson ? clients.size() - 1 : clients.size();
        FailoverFaults failovers = new FailoverFaults(dice, watchdogTimeout, victims, locks);
        if (redisson) {
            faults.addAll(failovers.sparingRedisson(Theme.of(seed)));
        } else {
            faults.addAll(cluster ? failovers.ofCluster() : failovers.underSentinels());
        }
    }

    private void add(Library library, List<ActorKind> kinds) {
        add(library, kinds, List.of());
    }

    private void add(Library library, List<ActorKind> kinds, List<ActorKind> more) {
        List<ActorKind> all = Stream.concat(kinds.stream(), more.stream()).toList();
        clients.add(ClientPlan.of(clients.size(), library, actors(all)));
    }

    private List<ActorPlan> actors(List<ActorKind> kinds) {
        return IntStream.range(0, kinds.size())
                .mapToObj(i -> new ActorPlan("a" + i, kinds.get(i), dice.seed()))
                .toList();
    }

    private static List<ActorKind> times(int count, ActorKind kind) {
        return Collections.nCopies(count, kind);
    }
}

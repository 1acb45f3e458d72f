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

    /** A round trip takes twice as long, and so more than the 100 ms after which a search asks for other segments. */
    private static final Duration FAR = Duration.ofMillis(60);

    private static final int A_LINE = 4;

    /** How many times as long leases are where masters are replaced: longer than a failover takes. */
    private static final int FAILOVER = 3;

    private static final Set<Theme> MOVING = EnumSet.of(
            Theme.CLUSTER,
            Theme.SENTINEL,
            Theme.READ_WRITE_CLUSTER,
            Theme.READ_WRITE_SENTINEL,
            Theme.LATCHES_CLUSTER,
            Theme.LATCHES_SENTINEL,
            Theme.SEMAPHORE_CLUSTER,
            Theme.SEMAPHORE_SENTINEL,
            Theme.CONDITIONS_CLUSTER,
            Theme.CONDITIONS_SENTINEL);

    /** The number of replicas that each master has. */
    private static final int ALL_OF_A_CLUSTER = 1;

    private static final int ALL_UNDER_SENTINELS = 2;

    /** Beside plain locks. */
    private static final List<ActorKind> SEVERAL =
            List.of(ActorKind.MULTI, ActorKind.MULTI_HANDLE, ActorKind.SEGMENT, ActorKind.KEEPER, ActorKind.HANDLE);

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
    /** The number of segments of the segmented lock, whose locks come after the others. */
    private int segments;

    private int replicas;

    private Themed(long seed) {
        this.seed = seed;
        this.dice = new Dice(seed);
        Duration drawn = dice.between(Schedule.SHORTEST_WATCHDOG, Schedule.LONGEST_WATCHDOG);
        this.watchdogTimeout = MOVING.contains(Theme.of(seed)) ? drawn.multipliedBy(FAILOVER) : drawn;
        this.longestLease = Schedule.LONG_LEASE;
    }

    /** {@return the round of this seed, whose theme has clients and faults of its own} */
    static RoundPlan round(long seed) {
        Themed themed = new Themed(seed);
        themed.draw();
        Theme theme = Theme.of(seed);
        List<String> named = themed.dice.shuffled(Schedule.LOCKS).stream()
                .filter(lock -> theme != Theme.LATCHES_CLUSTER || !lock.contains("{"))
                .limit(themed.locks)
                .toList();
        List<String> fenced = theme == Theme.FAIR || theme.isReadWrite() || theme.isOfSemaphores()
                ? List.of()
                : named.stream()
                        .filter(lock -> theme.isOfConditions() || themed.dice.chance(50))
                        .toList();
        List<String> locks = Stream.concat(named.stream(), Schedule.SEGMENTS.subList(0, themed.segments).stream())
                .toList();
        return new RoundPlan(
                seed,
                theme,
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
            case TOGETHER -> together();
            case SEGMENTS -> segments();
            case KEPT_BUSY -> keptBusy();
            case CLUSTER, SENTINEL -> failover();
            case FAIR -> fair();
            case READ_WRITE -> readWrite();
            case READ_WRITE_CLUSTER, READ_WRITE_SENTINEL -> readWriteFailover();
            case LATCHES, LATCHES_CLUSTER, LATCHES_SENTINEL -> latches();
            case SEMAPHORE, SEMAPHORE_CLUSTER, SEMAPHORE_SENTINEL -> semaphores();
            case CONDITIONS, CONDITIONS_CLUSTER, CONDITIONS_SENTINEL -> conditions();
            case GENERAL, VERSIONS ->
                throw new IllegalArgumentException("the round must have clients and faults of its own, was " + seed);
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

    /** If the clients had the lock in turns, the owner of the last one would overtake those of the others. */
    private void fair() {
        longestLease = watchdogTimeout;
        calm = UNDISTURBED.dividedBy(2);
        add(Library.HOLDFAST, times(6, ActorKind.RESTLESS));
        add(Library.HOLDFAST, times(3, ActorKind.RESTLESS_HANDLE));
        add(Library.HOLDFAST, times(1, ActorKind.RESTLESS));
        faults.addAll(new CrowdFaults(dice, watchdogTimeout, clients.size()).draw());
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

    /** Faults of all kinds, and clients that are closed. In half of the rounds, one lock is held for most of the time. */
    private void together() {
        locks = 3;
        List<ActorKind> multi = List.of(ActorKind.MULTI, ActorKind.MULTI_HANDLE, ActorKind.MULTI_ASYNC);
        ActorKind one = dice.chance(50) ? ActorKind.HOARDER : ActorKind.BLOCKING;
        add(Library.HOLDFAST, multi, List.of(one, ActorKind.POLLER));
        add(Library.HOLDFAST, multi, List.of(ActorKind.BLOCKING, ActorKind.POLLER));
        add(Library.HOLDFAST, List.of(ActorKind.MULTI, ActorKind.HANDLE, ActorKind.OWNED));
        addFault(FaultKind.KEY_DELETED, Schedule.PEACE, false, Duration.ZERO, 0, dice.below(locks));
        if (one == ActorKind.HOARDER) {
            for (int silent = 0; silent < 2 * clients.size(); silent++) {
                silentAtFirst(silent % clients.size());
            }
        }
        anyFaults(locks);
    }

    /** For longer than a call waits for a reply, and then without a fault for longer than it takes to recover. */
    private void silentAtFirst(int client) {
        addFault(
                FaultKind.BLACK_HOLE,
                watchdogTimeout.multipliedBy(9).dividedBy(4),
                false,
                watchdogTimeout.multipliedBy(19).dividedBy(20),
                client,
                0);
    }

    /** In a third of the rounds, a reply takes longer than a search awaits one segment, and there is no fault. */
    private void segments() {
        locks = 1;
        segments = 1 + dice.below(Schedule.SEGMENTS.size());
        List<ActorKind> some = List.of(ActorKind.SEGMENT, ActorKind.SEGMENT_ASYNC);
        add(Library.HOLDFAST, some, List.of(ActorKind.BLOCKING, ActorKind.MULTI));
        add(Library.HOLDFAST, some, List.of(ActorKind.KEEPER));
        add(Library.HOLDFAST, some, List.of(ActorKind.HANDLE_ASYNC));
        if (dice.chance(35)) {
            distance = dice.between(FAR, FAR.plus(NEAR.multipliedBy(10)));
            longestLease = watchdogTimeout;
        } else {
            anyFaults(locks + segments);
        }
    }

    private void anyFaults(int targets) {
        longestLease = watchdogTimeout;
        calm = Schedule.PEACE;
        for (FaultPlan fault : Schedule.faults(dice, false, watchdogTimeout, clients.size(), targets)) {
            if (!fault.overlaps() && dice.chance(25)) {
                closeOne();
            }
            addFault(fault.kind(), fault.after(), fault.overlaps(), fault.length(), fault.client(), fault.lock());
        }
        closeOne();
    }

    private void closeOne() {
        Duration after = dice.between(Schedule.PEACE.dividedBy(3), Schedule.PEACE.dividedBy(2));
        addFault(FaultKind.CLIENT_CLOSED, after, false, Duration.ZERO, dice.below(clients.size()), 0);
    }

    /** What was sent is lost with the server's data, or has no reply while the key is deleted. */
    private void keptBusy() {
        locks = Schedule.LOCKS.size();
        segments = Schedule.SEGMENTS.size();
        distance = dice.upTo(NEAR.multipliedBy(4));
        longestLease = watchdogTimeout;
        calm = Schedule.PEACE;
        List<ActorKind> keepers = times(4, ActorKind.KEEPER);
        add(Library.HOLDFAST, keepers, List.of(ActorKind.MULTI_HANDLE));
        add(Library.HOLDFAST, keepers, List.of(ActorKind.POLLER, ActorKind.SEGMENT_ASYNC));
        add(Library.HOLDFAST, List.of(ActorKind.KEEPER, ActorKind.BLOCKING, ActorKind.HANDLE_ASYNC));
        List<Runnable> deck = List.of(
                () -> deletedUnnoticed(FaultKind.REPLIES_SWALLOWED),
                () -> deletedUnnoticed(FaultKind.REPLIES_SWALLOWED),
                () -> deletedUnnoticed(FaultKind.REPLIES_SWALLOWED),
                () -> deletedUnnoticed(FaultKind.REPLIES_CUT),
                () -> addFault(FaultKind.SERVER_EMPTIED, pause(), false, NEAR, 0, 0),
                () -> addFault(FaultKind.SERVER_KILLED, pause(), false, NEAR, 0, 0),
                this::closeOne);
        dice.shuffled(deck).forEach(Runnable::run);
    }

    /**
     * All keys are deleted, one after the other, in the second half of a time in which no reply arrives. It is no longer
     * than a call waits for one.
     */
    private void deletedUnnoticed(FaultKind kind) {
        int client = dice.below(2);
        Duration length = watchdogTimeout.dividedBy(3);
        addFault(kind, pause(), false, length, client, 0);
        List<Integer> all =
                dice.shuffled(IntStream.range(0, locks + segments).boxed().toList());
        Duration between = length.dividedBy(3L * all.size());
        for (int i = 0; i < all.size(); i++) {
            Duration after = i == 0 ? length.dividedBy(2) : between;
            addFault(FaultKind.KEY_DELETED, after, true, Duration.ZERO, client, all.get(i));
        }
    }

    private Duration pause() {
        return faults.isEmpty() ? Schedule.PEACE : dice.upTo(Schedule.PEACE.dividedBy(3));
    }

    private void addFault(FaultKind kind, Duration after, boolean overlaps, Duration length, int client, int lock) {
        faults.add(new FaultPlan(faults.size() + 1, kind, after, overlaps, length, client, lock));
    }

    /** Clients of some kinds, a crowd, clients whose locks are replicated, or a Redisson client beside others. */
    private void failover() {
        longestLease = watchdogTimeout;
        calm = Schedule.PEACE;
        int drawn = dice.below(100);
        boolean crowd = drawn < 25;
        boolean redisson = drawn >= 75;
        boolean replicated = !crowd && drawn < 50;
        locks = crowd ? 1 + dice.below(2) : Schedule.LOCKS.size();
        if (crowd) {
            addCrowd(Schedule.MORE_CLIENTS, List.of(ActorKind.LASTING));
        } else {
            boolean several = !redisson && dice.chance(60);
            List<ActorKind> first = several ? SEVERAL : ActorKind.ORDINARY;
            segments = several ? 2 : 0;
            add(Library.HOLDFAST, first, List.of(ActorKind.RESTLESS, ActorKind.LASTING));
            add(Library.HOLDFAST, first, times(2, several ? ActorKind.BLOCKING : ActorKind.RESTLESS));
            ActorKind others = several && replicated ? ActorKind.KEEPER : ActorKind.RESTLESS;
            add(
                    redisson ? Library.REDISSON : Library.HOLDFAST,
                    times(2, redisson ? ActorKind.BLOCKING : others),
                    redisson ? List.of() : List.of(ActorKind.IMPATIENT));
        }
        if (replicated) {
            replicas = allReplicas();
        }
        addFailovers(redisson);
    }

    private int allReplicas() {
        return Theme.of(seed).isOnCluster() ? ALL_OF_A_CLUSTER : ALL_UNDER_SENTINELS;
    }

    private void addFailovers(boolean redisson) {
        int victims = redisson ? clients.size() - 1 : clients.size();
        FailoverFaults failovers = new FailoverFaults(dice, watchdogTimeout, victims, locks + segments);
        if (redisson) {
            faults.addAll(failovers.sparingRedisson(Theme.of(seed)));
        } else {
            faults.addAll(Theme.of(seed).isOnCluster() ? failovers.ofCluster() : failovers.underSentinels());
        }
    }

    /** Readers and writers of all kinds, in a third of the rounds beside Redisson's. */
    private void readWrite() {
        boolean redisson = addReadersAndWriters();
        longestLease = watchdogTimeout;
        calm = UNDISTURBED.dividedBy(2);
        int victims = redisson ? clients.size() - 1 : clients.size();
        faults.addAll(Schedule.faults(dice, redisson, watchdogTimeout, victims, locks));
    }

    private void readWriteFailover() {
        boolean redisson = addReadersAndWriters();
        longestLease = watchdogTimeout;
        calm = Schedule.PEACE;
        addFailovers(redisson);
    }

    /** {@return whether one of them is a Redisson client} */
    private boolean addReadersAndWriters() {
        boolean redisson = dice.chance(35);
        locks = dice.chance(70) ? 1 : 2;
        List<ActorKind> restless = times(3, ActorKind.RESTLESS);
        add(Library.HOLDFAST, restless, ActorKind.ORDINARY);
        add(Library.HOLDFAST, restless, List.of(ActorKind.IMPATIENT, ActorKind.DOWNGRADER, ActorKind.RESTLESS_HANDLE));
        if (redisson) {
            add(Library.REDISSON, times(2, ActorKind.BLOCKING));
        } else {
            add(Library.HOLDFAST, times(2, ActorKind.BLOCKING), List.of(ActorKind.POLLER, ActorKind.DOWNGRADER));
        }
        return redisson;
    }

    /** Twice as many count a latch down as its count needs, so it is opened although some of them are killed or late. */
    private void latches() {
        calm = Schedule.PEACE;
        add(Library.HOLDFAST, times(2, ActorKind.AWAITER), times(2, ActorKind.COUNTER));
        add(Library.HOLDFAST, times(2, ActorKind.AWAITER), List.of(ActorKind.COUNTER, ActorKind.RESETTER));
        add(Library.HOLDFAST, times(2, ActorKind.AWAITER), times(2, ActorKind.COUNTER));
        if (MOVING.contains(Theme.of(seed))) {
            addFailovers(false);
        } else {
            faults.addAll(Schedule.faults(dice, false, watchdogTimeout, clients.size(), locks));
        }
    }

    /**
     * One client names a larger limit at some semaphores, and one actor requests all permits. Where masters are replaced, grants
     * are replicated in a quarter of the rounds.
     */
    private void semaphores() {
        locks = dice.chance(60) ? 1 : 2;
        List<ActorKind> restless = times(2, ActorKind.PERMITS_RESTLESS);
        add(Library.HOLDFAST, restless, List.of(ActorKind.PERMITS, ActorKind.PERMITS_ASYNC, ActorKind.PERMITS_POLLER));
        add(Library.HOLDFAST, times(2, ActorKind.PERMITS), List.of(ActorKind.PERMITS_ASYNC, ActorKind.ALL_PERMITS));
        add(Library.HOLDFAST, restless, List.of(ActorKind.PERMITS, ActorKind.PERMITS, ActorKind.PERMITS_ASYNC));
        if (Theme.of(seed) != Theme.SEMAPHORE) {
            longestLease = watchdogTimeout;
            calm = Schedule.PEACE;
            replicas = dice.chance(25) ? allReplicas() : 0;
            addFailovers(false);
        } else if (dice.chance(30)) {
            longestLease = watchdogTimeout;
            calm = UNDISTURBED.dividedBy(2);
            faults.addAll(new CrowdFaults(dice, watchdogTimeout, clients.size()).draw());
        } else {
            anyFaults(locks);
        }
    }

    /**
     * As many producers as consumers, and one thread that tries to acquire the locks without conditions. After the last fault, a wait can take
     * so long that it does not hide that it was missed. Where masters are replaced, locks are replicated in a quarter of the rounds.
     */
    private void conditions() {
        locks = dice.chance(60) ? 1 : 2;
        List<ActorKind> both = List.of(ActorKind.PRODUCER, ActorKind.PRODUCER, ActorKind.CONSUMER, ActorKind.CONSUMER);
        add(Library.HOLDFAST, both);
        add(Library.HOLDFAST, both, List.of(ActorKind.POLLER));
        add(Library.HOLDFAST, both);
        if (MOVING.contains(Theme.of(seed))) {
            longestLease = watchdogTimeout;
            replicas = dice.chance(25) ? allReplicas() : 0;
            addFailovers(false);
        } else {
            Duration length = dice.between(watchdogTimeout.dividedBy(10), watchdogTimeout.dividedBy(2));
            addFault(FaultKind.GRANTS_LOST, Schedule.PEACE, false, length, dice.below(clients.size()), 0);
            anyFaults(locks);
        }
        calm = RoundPlan.longestAwait(watchdogTimeout);
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

package dev.holdfast.campaign.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.topology.Slots;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rounds of one theme each. */
class ThemedTest {
    /** Longer than the rule needs to detect a waiter that is passed over. */
    private static final Duration LONG = Duration.ofSeconds(2);

    private static Stream<RoundPlan> rounds(Theme theme) {
        LongSupplier seeds = Schedule.seeds(3, theme);
        return Stream.generate(() -> Schedule.round(seeds.getAsLong())).limit(20);
    }

    private static List<ActorKind> kinds(ClientPlan client) {
        return client.actors().stream().map(ActorPlan::kind).toList();
    }

    /**
     * Every theme has at most as many clients as there are processes, a seed for each actor, and no fault other than
     * its own.
     */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"GENERAL", "VERSIONS"})
    void round_canBePlayed(Theme theme) {
        assertThat(rounds(theme)).allSatisfy(round -> {
            assertThat(round.clients()).hasSizeBetween(2, Schedule.MORE_CLIENTS);
            assertThat(round.isQuiet()).isFalse();
            assertThat(round.faults()).extracting(FaultPlan::kind).allMatch(kind -> switch (theme) {
                case TOGETHER, SEGMENTS, KEPT_BUSY, READ_WRITE, LATCHES, SEMAPHORE, CONDITIONS ->
                    kind.target() != FaultKind.Target.MASTER;
                case CROWD, FAIR -> kind.target() != FaultKind.Target.SERVER;
                case CLUSTER,
                        SENTINEL,
                        READ_WRITE_CLUSTER,
                        READ_WRITE_SENTINEL,
                        LATCHES_CLUSTER,
                        LATCHES_SENTINEL,
                        SEMAPHORE_CLUSTER,
                        SEMAPHORE_SENTINEL,
                        CONDITIONS_CLUSTER,
                        CONDITIONS_SENTINEL ->
                    kind.target() == FaultKind.Target.MASTER
                            || kind == FaultKind.CLIENT_KILLED
                            || kind == FaultKind.CLIENT_PAUSED;
                default -> kind == FaultKind.UNSUBSCRIBED || kind == FaultKind.KEY_FORBIDDEN;
            });
            assertThat(round.clients().stream().flatMap(client -> client.actors().stream()))
                    .extracting(ActorPlan::seed)
                    .doesNotHaveDuplicates();
        });
    }

    /** Only one client waits, since the others would otherwise be subscribed to its releases. */
    @Test
    void pollers_waitInOneClientOnly() {
        assertThat(rounds(Theme.POLLERS)).allSatisfy(round -> {
            assertThat(round.locks()).hasSize(1);
            assertThat(kinds(round.clients().get(0))).contains(ActorKind.RESTLESS, ActorKind.POLLER);
            assertThat(round.clients().stream().skip(1).flatMap(client -> kinds(client).stream()))
                    .containsOnly(ActorKind.POLLER);
            assertThat(round.clients()).extracting(ClientPlan::library).contains(Library.REDISSON);
        });
    }

    /** The subscriptions are cut for longer than it takes to detect a waiter that is passed over. */
    @Test
    void unsubscribed_forLong() {
        assertThat(rounds(Theme.UNSUBSCRIBED))
                .allSatisfy(round -> assertThat(round.faults()).isNotEmpty().allSatisfy(fault -> {
                    assertThat(fault.length()).isGreaterThanOrEqualTo(LONG);
                    assertThat(kinds(round.clients().get(fault.client()))).hasSize(4);
                }));
    }

    /** One client awaits its releases, the other does not. */
    @Test
    void unawaited_besideOneThatAwaits() {
        assertThat(rounds(Theme.UNAWAITED)).allSatisfy(round -> assertThat(round.clients())
                .extracting(ClientPlan::awaitsReleases)
                .containsExactly(false, true));
    }

    /** Every kind of close occurs, and what is held then has a short lease. */
    @Test
    void closed_inEveryWay() {
        assertThat(rounds(Theme.CLOSED)).allSatisfy(round -> {
            assertThat(round.clients())
                    .extracting(ClientPlan::closing)
                    .containsExactlyInAnyOrder(
                            ClosingKind.INTERRUPTED, ClosingKind.IN_CALLBACK, ClosingKind.BESIDE_BLOCKED_CALLBACK);
            assertThat(round.abandons()).isTrue();
            assertThat(round.longestLease()).isEqualTo(round.watchdogTimeout());
        });
    }

    /** Every set of rights occurs, and only a user of its own loses rights. */
    @Test
    void fewRights_ofEveryKind() {
        assertThat(rounds(Theme.FEW_RIGHTS)).allSatisfy(round -> {
            assertThat(round.clients())
                    .extracting(ClientPlan::rights)
                    .containsExactlyInAnyOrder(Rights.NO_END, Rights.NO_AUDIENCE, Rights.OWN);
            assertThat(round.faults()).allSatisfy(fault -> assertThat(
                            round.clients().get(fault.client()).rights())
                    .isEqualTo(Rights.OWN));
        });
    }

    /**
     * Beside the multi-locks, there are plain locks of the same names, and callers that poll. A key is deleted, and
     * clients are closed; what these hold ends soon.
     */
    @Test
    void together_closedInUse() {
        assertThat(rounds(Theme.TOGETHER)).allSatisfy(round -> {
            assertThat(round.clients().stream().flatMap(client -> kinds(client).stream()))
                    .contains(
                            ActorKind.MULTI,
                            ActorKind.MULTI_HANDLE,
                            ActorKind.MULTI_ASYNC,
                            ActorKind.HANDLE,
                            ActorKind.POLLER);
            assertThat(round.faults())
                    .extracting(FaultPlan::kind)
                    .contains(FaultKind.KEY_DELETED, FaultKind.CLIENT_CLOSED);
            assertThat(round.abandons()).isTrue();
            assertThat(round.longestLease()).isEqualTo(round.watchdogTimeout());
        });
        assertThat(rounds(Theme.TOGETHER).map(round -> round.clients().stream()
                        .anyMatch(client -> kinds(client).contains(ActorKind.HOARDER))))
                .contains(true, false);
    }

    /** From one segment to three; in some rounds so far from Redis that a search asks for others meanwhile. */
    @Test
    void segments_nearAndFar() {
        assertThat(rounds(Theme.SEGMENTS))
                .extracting(round -> round.segments().size())
                .contains(1, 2, 3);
        assertThat(rounds(Theme.SEGMENTS))
                .allMatch(round -> round.distance().isZero() == !round.faults().isEmpty())
                .anyMatch(round -> round.distance().multipliedBy(2).compareTo(Duration.ofMillis(100)) > 0)
                .anyMatch(round -> round.distance().isZero());
        assertThat(rounds(Theme.SEGMENTS)).allMatch(round -> round.clients().stream()
                .allMatch(client -> kinds(client).contains(ActorKind.SEGMENT)));
    }

    /** While replies are lost, every key is deleted. */
    @Test
    void keptBusy_deletedUnnoticed() {
        assertThat(rounds(Theme.KEPT_BUSY)).allSatisfy(round -> {
            assertThat(round.longestKeep()).isGreaterThan(round.watchdogTimeout());
            List<FaultPlan> swallowed = round.faults().stream()
                    .filter(fault -> fault.kind() == FaultKind.REPLIES_SWALLOWED)
                    .toList();
            assertThat(swallowed).isNotEmpty().allSatisfy(lost -> {
                List<FaultPlan> within = round.faults()
                        .subList(lost.number(), lost.number() + round.locks().size());
                assertThat(within).allMatch(FaultPlan::overlaps);
                assertThat(within).extracting(FaultPlan::kind).containsOnly(FaultKind.KEY_DELETED);
                assertThat(within).extracting(FaultPlan::lock).doesNotHaveDuplicates();
                assertThat(within.stream().map(FaultPlan::after).reduce(Duration.ZERO, Duration::plus))
                        .isLessThan(lost.length());
            });
        });
    }

    /** Some twenty clients contend for one lock or two, plain or fenced, at times with a poller and a Redisson client. */
    @Test
    void crowd_ofClients() {
        assertThat(rounds(Theme.CROWD)).allMatch(RoundPlan::isCrowded).allSatisfy(round -> {
            assertThat(round.locks()).hasSizeLessThanOrEqualTo(2);
            assertThat(holdfast(round).mapToInt(ClientPlan::count).sum()).isBetween(18, 20);
            assertThat(holdfast(round)).allMatch(ClientPlan::apart).allSatisfy(client -> assertThat(kinds(client))
                    .contains(ActorKind.RESTLESS, ActorKind.IMPATIENT));
        });
        assertThat(rounds(Theme.CROWD))
                .anyMatch(round -> round.fenced().isEmpty())
                .anyMatch(round -> round.fenced().equals(round.locks()));
        assertThat(rounds(Theme.CROWD)
                        .map(round -> round.clients().size() - holdfast(round).count()))
                .contains(0L, 1L);
        assertThat(rounds(Theme.CROWD).map(round -> holdfast(round)
                        .anyMatch(client -> kinds(client).contains(ActorKind.POLLER))))
                .contains(true, false);
    }

    /** Clients with different numbers of owners, all of which wait. */
    @Test
    void fair_ofDifferentClients() {
        assertThat(rounds(Theme.FAIR)).allMatch(RoundPlan::isFair).allSatisfy(round -> {
            assertThat(round.fenced()).isEmpty();
            assertThat(round.clients())
                    .extracting(client -> client.actors().size())
                    .containsExactly(6, 3, 1);
            assertThat(round.faults()).isNotEmpty();
        });
    }

    /**
     * One process is killed, in some rounds while the grants to its clients are lost. Others are stopped for longer than
     * the lease of a grant. No fault hits the Redisson client.
     */
    @Test
    void crowd_faults() {
        List<FaultPlan> kills = new ArrayList<>();
        assertThat(rounds(Theme.CROWD)).allSatisfy(round -> {
            assertThat(round.longestLease()).isEqualTo(round.watchdogTimeout());
            assertThat(round.faults())
                    .allMatch(fault -> fault.client() < holdfast(round).count());
            List<FaultPlan> killed = round.faults().stream()
                    .filter(fault -> fault.kind() == FaultKind.CLIENT_KILLED)
                    .toList();
            assertThat(killed).hasSize(1);
            kills.addAll(killed);
            assertThat(killed).filteredOn(FaultPlan::overlaps).allSatisfy(kill -> {
                FaultPlan lost = round.faults().get(kill.number() - 2);
                assertThat(lost.kind()).isEqualTo(FaultKind.GRANTS_LOST);
                assertThat(lost.client()).isEqualTo(kill.client());
                assertThat(kill.after()).isLessThanOrEqualTo(lost.length());
            });
            assertThat(round.faults())
                    .filteredOn(fault -> fault.kind() == FaultKind.CLIENT_PAUSED)
                    .allMatch(pause ->
                            pause.length().compareTo(round.watchdogTimeout().dividedBy(3)) > 0);
        });
        assertThat(kills).anyMatch(FaultPlan::overlaps).anyMatch(kill -> !kill.overlaps());
        assertThat(rounds(Theme.CROWD).flatMap(round -> round.faults().stream().map(FaultPlan::kind)))
                .contains(
                        FaultKind.CLIENT_PAUSED,
                        FaultKind.CLIENT_PAUSED_LONG,
                        FaultKind.GRANTS_LOST,
                        FaultKind.UNSUBSCRIBED,
                        FaultKind.CUT_RST);
    }

    /** Where most keepers let a replicated lock stay busy for long, each of them can do so before the last call returns. */
    @Test
    void rounds_waitForEachKeeper() {
        assertThat(rounds(Theme.CLUSTER).filter(RoundPlan::isReplicated))
                .isNotEmpty()
                .allMatch(round -> {
                    long keepers = round.clients().stream()
                            .flatMap(client -> client.actors().stream())
                            .filter(actor -> actor.kind() == ActorKind.KEEPER)
                            .count();
                    return round.patience().compareTo(round.longestKeep().multipliedBy(keepers + 1)) > 0;
                });
    }

    /**
     * Where masters are replaced, rounds have a crowd, locks that are replicated, or a Redisson client; and a client
     * that has a lock for long.
     */
    @ParameterizedTest
    @EnumSource(names = {"CLUSTER", "SENTINEL"})
    void failovers_ofAllClients(Theme theme) {
        assertThat(rounds(theme))
                .anyMatch(RoundPlan::isReplicated)
                .anyMatch(RoundPlan::hasGuest)
                .anyMatch(round -> holdfast(round).mapToInt(ClientPlan::count).sum() == 20)
                .anyMatch(round -> !round.isCrowded())
                .anyMatch(round -> round.isReplicated() && !round.segments().isEmpty())
                .allMatch(round ->
                        holdfast(round).anyMatch(client -> kinds(client).contains(ActorKind.LASTING)));
        assertThat(rounds(theme).filter(RoundPlan::isReplicated)).noneMatch(RoundPlan::hasGuest);
    }

    /** Beside a Redisson client, no command stays unanswered; otherwise every fault of the theme occurs. */
    @Test
    void failovers_faults() {
        assertThat(rounds(Theme.CLUSTER)
                        .flatMap(round -> round.faults().stream().map(FaultPlan::kind)))
                .contains(
                        FaultKind.MASTER_REPLACED,
                        FaultKind.MASTER_TAKEN_OVER,
                        FaultKind.MASTER_KILLED,
                        FaultKind.MASTER_PAUSED,
                        FaultKind.REPLICAS_CUT,
                        FaultKind.SLOT_MOVED);
        assertThat(rounds(Theme.SENTINEL)
                        .flatMap(round -> round.faults().stream().map(FaultPlan::kind)))
                .contains(
                        FaultKind.MASTER_SWITCHED,
                        FaultKind.MASTER_KILLED,
                        FaultKind.MASTER_PAUSED,
                        FaultKind.REPLICAS_CUT,
                        FaultKind.SENTINEL_PAUSED,
                        FaultKind.SENTINELS_PAUSED);
        assertThat(Stream.concat(rounds(Theme.CLUSTER), rounds(Theme.SENTINEL))
                        .filter(RoundPlan::hasGuest)
                        .flatMap(round -> round.faults().stream().map(FaultPlan::kind)))
                .containsOnly(
                        FaultKind.MASTER_REPLACED,
                        FaultKind.MASTER_SWITCHED,
                        FaultKind.SLOT_MOVED,
                        FaultKind.CLIENT_KILLED,
                        FaultKind.CLIENT_PAUSED);
    }

    /** A master is killed while its replicas are cut off, and all sentinels are stopped before they can replace it. */
    @Test
    void failovers_together() {
        List<FaultPlan> together = Stream.concat(rounds(Theme.CLUSTER), rounds(Theme.SENTINEL))
                .flatMap(round -> round.faults().stream()
                        .skip(1)
                        .filter(FaultPlan::overlaps)
                        .map(second -> {
                            FaultPlan first = round.faults().get(second.number() - 2);
                            assertThat(second.lock()).isEqualTo(first.lock());
                            assertThat(second.after()).isLessThan(first.length());
                            return second;
                        }))
                .toList();
        assertThat(together)
                .extracting(FaultPlan::kind)
                .contains(FaultKind.MASTER_KILLED, FaultKind.MASTER_SWITCHED, FaultKind.SENTINELS_PAUSED);
    }

    /**
     * Half of the Holdfast clients are of the earlier build, or one of three. They share the locks with the others, in
     * rounds of several themes, and have no multi-locks.
     */
    @Test
    void versions_halfOfTheClients() {
        List<RoundPlan> rounds = Stream.iterate(Schedule.seeds(3, Theme.VERSIONS), seeds -> seeds)
                .map(seeds -> Schedule.round(seeds.getAsLong()))
                .limit(100)
                .toList();

        assertThat(rounds).allSatisfy(round -> {
            assertThat(Theme.of(round.seed())).isEqualTo(Theme.VERSIONS);
            List<ClientPlan> earlier = round.clients().stream()
                    .filter(client -> client.library() == Library.HOLDFAST_BEFORE)
                    .toList();
            assertThat(earlier.size()).isBetween(1, 2);
            assertThat(holdfast(round).count() - earlier.size()).isBetween(-1L, 1L);
            assertThat(earlier.stream().flatMap(client -> kinds(client).stream()))
                    .doesNotContain(ActorKind.MULTI, ActorKind.MULTI_HANDLE, ActorKind.MULTI_ASYNC);
        });
        assertThat(rounds)
                .extracting(RoundPlan::theme)
                .contains(Theme.GENERAL, Theme.CROWD, Theme.SEGMENTS, Theme.CLUSTER, Theme.SENTINEL)
                .doesNotContain(Theme.VERSIONS);
        assertThat(rounds.stream().flatMap(round -> round.faults().stream()))
                .extracting(FaultPlan::kind)
                .contains(
                        FaultKind.CLIENT_KILLED,
                        FaultKind.CLIENT_PAUSED,
                        FaultKind.CUT_RST,
                        FaultKind.SERVER_KILLED,
                        FaultKind.MASTER_KILLED,
                        FaultKind.GRANTS_LOST);
        assertThat(rounds).anyMatch(RoundPlan::isReplicated).anyMatch(RoundPlan::hasGuest);
    }

    private static Stream<ClientPlan> holdfast(RoundPlan round) {
        return round.clients().stream().filter(client -> client.library() == Library.HOLDFAST);
    }

    /** There are readers, writers and owners that become the one from the other; in some rounds Redisson's beside. */
    @Test
    void readWrite_ofAllKinds() {
        assertThat(rounds(Theme.READ_WRITE))
                .allSatisfy(round -> {
                    assertThat(round.fenced()).isEmpty();
                    assertThat(round.clients().stream().flatMap(client -> kinds(client).stream()))
                            .contains(ActorKind.DOWNGRADER, ActorKind.RESTLESS, ActorKind.IMPATIENT)
                            .containsAll(ActorKind.ORDINARY);
                })
                .anyMatch(RoundPlan::hasGuest)
                .anyMatch(round -> !round.hasGuest());
        List<Turn> turns = turns(Theme.READ_WRITE);
        assertThat(turns).anyMatch(Turn::reads).anyMatch(turn -> !turn.reads());
    }

    /** More actors count a latch down than its count needs, also if the process of some of them is killed. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.INCLUDE,
            names = {"LATCHES", "LATCHES_CLUSTER", "LATCHES_SENTINEL"})
    void latches_areOpenedWithoutOneClient(Theme theme) {
        assertThat(rounds(theme))
                .allSatisfy(round -> assertThat(round.clients()).allSatisfy(killed -> {
                    assertThat(kinds(killed)).contains(ActorKind.AWAITER);
                    assertThat(round.clients().stream()
                                    .filter(client -> !client.equals(killed))
                                    .flatMap(client -> kinds(client).stream())
                                    .filter(kind -> kind != ActorKind.AWAITER))
                            .hasSizeGreaterThan(RoundPlan.LATCH_COUNT);
                }));
    }

    /** In a cluster, a latch is lost and moved with the lock that it is named after, though it has no hash tag. */
    @Test
    void latchesCluster_areInTheSlotsOfTheLocks() {
        assertThat(rounds(Theme.LATCHES_CLUSTER).flatMap(round -> round.locks().stream()))
                .isNotEmpty()
                .allSatisfy(lock -> assertThat(RoundPlan.latch(lock, 7))
                        .isNotEqualTo(RoundPlan.latch(lock, 8))
                        .doesNotContain("{")
                        .startsWith(lock + ":")
                        .satisfies(latch -> assertThat(Slots.of(latch)).isEqualTo(Slots.of(lock))));
    }

    /** Of some semaphores one client names more permits than the others, and requests for all of them compete with small ones. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.INCLUDE,
            names = {"SEMAPHORE", "SEMAPHORE_CLUSTER", "SEMAPHORE_SENTINEL"})
    void semaphore_ofTwoLimits(Theme theme) {
        assertThat(rounds(theme))
                .allSatisfy(round -> {
                    assertThat(round.fenced()).isEmpty();
                    assertThat(round.keys()).allMatch(key -> key.startsWith(RoundPlan.SEMAPHORES));
                    assertThat(round.clients().stream().flatMap(client -> kinds(client).stream()))
                            .contains(ActorKind.PERMITS, ActorKind.PERMITS_ASYNC, ActorKind.PERMITS_POLLER)
                            .contains(ActorKind.PERMITS_RESTLESS)
                            .containsOnlyOnce(ActorKind.ALL_PERMITS);
                })
                .anyMatch(round -> round.locks().stream().anyMatch(name -> limits(round, name) == 2))
                .anyMatch(round -> round.locks().stream().anyMatch(name -> limits(round, name) == 1))
                .anyMatch(round -> round.isReplicated() == (theme != Theme.SEMAPHORE));
        List<Turn> turns = turns(theme);
        assertThat(turns)
                .anyMatch(turn -> turn.keep().isPresent())
                .anyMatch(turn -> turn.lease().isPresent())
                .extracting(Turn::levels)
                .contains(1, 2, RoundPlan.MANY_PERMITS);
    }

    /**
     * There are as many producers as consumers, at buffers with conditions with and without names, and some waits outlast what a
     * fault can delay a signal.
     */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.INCLUDE,
            names = {"CONDITIONS", "CONDITIONS_CLUSTER", "CONDITIONS_SENTINEL"})
    void conditions_ofBothKinds(Theme theme) {
        assertThat(rounds(theme))
                .allSatisfy(round -> {
                    assertThat(round.fenced()).isEqualTo(round.locks());
                    assertThat(round.clients()).allSatisfy(client -> assertThat(kinds(client))
                            .containsSequence(
                                    ActorKind.PRODUCER, ActorKind.PRODUCER, ActorKind.CONSUMER, ActorKind.CONSUMER));
                    assertThat(round.calm())
                            .isGreaterThan(round.watchdogTimeout().multipliedBy(2));
                })
                .anyMatch(round -> round.isReplicated() == (theme != Theme.CONDITIONS))
                .anyMatch(round -> conditions(round) == 2)
                .anyMatch(round -> conditions(round) == 0);
        assertThat(turns(theme))
                .anyMatch(turn -> turn.patience().isPresent())
                .anyMatch(turn -> turn.lease().isPresent())
                .extracting(Turn::longestWait)
                .anyMatch(wait -> wait.compareTo(LONG) > 0)
                .anyMatch(wait -> wait.compareTo(LONG.dividedBy(10)) <= 0);
    }

    private static long conditions(RoundPlan round) {
        return Stream.of(ActorKind.PRODUCER, ActorKind.CONSUMER)
                .flatMap(kind -> round.locks().stream().map(lock -> RoundPlan.condition(lock, kind)))
                .flatMap(Optional::stream)
                .distinct()
                .count();
    }

    private static long limits(RoundPlan round, String semaphore) {
        return round.clients().stream()
                .map(client -> round.limit(semaphore, client))
                .distinct()
                .count();
    }

    private static List<Turn> turns(Theme theme) {
        return rounds(theme)
                .flatMap(round -> round.clients().stream()
                        .flatMap(client -> client.actors().stream())
                        .flatMap(actor ->
                                Stream.generate(round.turns(actor, 0)::next).limit(5)))
                .toList();
    }
}

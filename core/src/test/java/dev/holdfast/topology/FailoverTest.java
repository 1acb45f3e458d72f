package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Crowd;
import dev.holdfast.DistributedLock;
import dev.holdfast.FencedLock;
import dev.holdfast.Guarded;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LossReason;
import dev.holdfast.Visits;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.Failover;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A replica takes the place of its master and lacks what that has acknowledged last: since its link was down, nothing
 * is replicated.
 */
@Tag("topology")
@Tag("driver")
@Tag("slow")
class FailoverTest {
    private static final Duration LEASE = Shard.LEASE;

    private static final Duration SOON = Duration.ofSeconds(20);

    /** Within this time a holder is told of a loss that no connection shows: far earlier than by its next renewal. */
    private static final Duration TOLD = Duration.ofSeconds(15);

    private static final String NAME = "failed over";

    /** Redis 6.2, whose clusters have no sharded channels. */
    RedisBinary binary() {
        return RedisBinary.embedded();
    }

    /**
     * A hold that the new master lacks is lost, and is told so at once. It is not acquired again, and the next owner has a
     * larger token.
     */
    @Test
    void acquire_notReplicated_isLost() {
        try (Shard shard = new Shard(binary())) {
            shard.cutReplication();
            Lease lease = shard.client.getFencedLock(NAME).acquire();

            shard.promoteReplica();

            assertThat(get(lease.lost().toCompletableFuture(), TOLD).reason()).isEqualTo(LossReason.FAILOVER);
            assertThat(lease.isValid()).isFalse();
            shard.assertNothingHeld();
            try (Lease next = shard.rival.getFencedLock(NAME).acquire()) {
                assertThat(next.token()).isGreaterThan(lease.token());
            }
        }
    }

    /** The same if another owner was faster. */
    @Test
    void acquire_notReplicated_takenByAnother_isLost() {
        try (Shard shard = new Shard(binary())) {
            Lease first = shard.rival.getLock(NAME).acquire();
            shard.cutReplication();
            first.close();
            Lease second = shard.client.getLock(NAME).acquire();
            shard.rival.close();

            shard.promoteReplica();

            assertThat(get(second.lost().toCompletableFuture(), TOLD).reason()).isEqualTo(LossReason.FAILOVER);
        }
    }

    /**
     * A hold that the new master lacks, and the former one still has: that becomes the master again before it has the data of
     * the new one. The hold is lost all the same, and is released there.
     */
    @Test
    void acquire_notReplicated_formerMasterComesBack_isReleased() throws InterruptedException {
        try (Shard shard = new Shard(binary())) {
            shard.cutReplication();
            Lease lease = shard.client.getLock(NAME).acquire();
            shard.keepMastersData();
            shard.takeOver();
            assertThat(get(lease.lost().toCompletableFuture(), TOLD).reason()).isEqualTo(LossReason.FAILOVER);

            shard.takeBack();
            shard.awaitClients();

            assertThat(shard.rival.getLock(NAME).tryLock(SOON)).isTrue();
            assertThat(lease.isValid()).isFalse();
            shard.rival.getLock(NAME).unlock();
        }
    }

    /** An extension that the new master lacks is requested again there: the hold lasts for as long as its owner was told. */
    @Test
    void extension_notReplicated_isRequestedAgain() {
        try (Shard shard = new Shard(binary())) {
            Lease lease = shard.client.getLock(NAME).acquire(LEASE.dividedBy(2));
            shard.cutReplication();
            lease.extend(LEASE.multipliedBy(2));

            shard.promoteReplica();

            eventually(() -> assertThat(shard.replica.server().command("PTTL", NAME))
                    .asInstanceOf(InstanceOfAssertFactories.LONG)
                    .isGreaterThan(LEASE.toMillis()));
            assertThat(lease.remaining()).isGreaterThan(LEASE);
            lease.close();
            shard.assertNothingHeld();
        }
    }

    /** A renewal that the master has not answered when it is killed is sent again to the new one: the hold goes on. */
    @Test
    void renewal_inFlight_masterKilled_isSentAgain() {
        Duration watchdog = Duration.ofSeconds(6);
        Duration whenRenewed = watchdog.multipliedBy(2).dividedBy(3);
        try (Shard shard = new Shard(binary());
                Holdfast renewing = shard.connect(watchdog);
                Lease lease = renewing.getLock(NAME).acquire()) {
            shard.cluster.awaitInSync(shard.replica);
            shard.master.server().pause();
            eventually(() -> lease.remaining().compareTo(whenRenewed.minusMillis(200)) < 0);

            shard.promoteReplica();

            eventually(() -> lease.remaining().compareTo(whenRenewed) > 0);
        }
    }

    /**
     * A master whose machine has stopped ends no connection. Its holders are told all the same, although they send no command
     * before another owner has the lock, and those with an explicit lease never do.
     */
    @Test
    void acquire_notReplicated_masterStops_isLost() {
        try (Shard shard = new Shard(binary())) {
            shard.cutReplication();
            Lease watched = shard.client.getLock(NAME).acquire();
            Lease explicit = shard.client.getLock("with a lease").acquire(LEASE);

            shard.master.server().pause();
            shard.takeOver();
            try (Holdfast latecomer = shard.latecomer();
                    Lease taken = latecomer.getLock(NAME).acquire()) {
                assertThat(get(watched.lost().toCompletableFuture(), TOLD).reason())
                        .isEqualTo(LossReason.FAILOVER);
                assertThat(get(explicit.lost().toCompletableFuture(), TOLD).reason())
                        .isEqualTo(LossReason.FAILOVER);
                assertThat(taken.isValid()).isTrue();
            }
            shard.master.server().resume();
        }
    }

    /** A lock that was released is free at the new master within a second, although that missed the release. */
    @Test
    void release_notReplicated_isRepeated() throws InterruptedException {
        try (Shard shard = new Shard(binary())) {
            Lease lease = shard.client.getLock(NAME).acquire();
            shard.cutReplication();
            lease.close();

            shard.promoteReplica();
            shard.awaitClients();

            assertThat(shard.rival.getLock(NAME).tryLock(SOON)).isTrue();
            shard.rival.getLock(NAME).unlock();
            shard.assertNothingHeld();
        }
    }

    /** A release is repeated for the tenure that it was for: what the owner has acquired since is kept. */
    @Test
    void release_replicated_acquiredAgain_isKept() {
        try (Shard shard = new Shard(binary())) {
            assertThat(shard.client.getLock(NAME).tryLock()).isTrue();
            shard.client.getLock(NAME).unlock();
            assertThat(shard.client.getLock(NAME).tryLock()).isTrue();
            shard.cutReplication();

            shard.promoteReplica();

            assertThat(shard.rival.getLock(NAME).tryLock()).isFalse();
            eventually(() -> assertThat(shard.replica.server().keys()).contains(NAME));
            shard.client.getLock(NAME).unlock();
            shard.assertNothingHeld();
        }
    }

    /** An owner to which the lock was handed off keeps it, although the new master still has the one before. */
    @Test
    void handoff_notReplicated_isRepeated() {
        try (Shard shard = new Shard(binary())) {
            Lease before = shard.client.getLock(NAME).acquire();
            CompletableFuture<Lease> waiting = shard.client.getLock(NAME).acquireAsync();
            eventually(() -> shard.client.stats().waiters() == 1);
            shard.cutReplication();
            before.close();
            Lease lease = get(waiting);

            shard.promoteReplica();

            eventually(() -> shard.client.isConnected());
            lease.extend(LEASE);
            assertThat(lease.isValid()).isTrue();
            assertThat(shard.rival.getLock(NAME).tryLock()).isFalse();
            lease.close();
            shard.assertNothingHeld();
        }
    }

    /** The same if the owner releases the lock before the client has noticed the failover. */
    @Test
    void handoff_notReplicated_releasedAtOnce() {
        try (Shard shard = new Shard(binary())) {
            Lease before = shard.client.getLock(NAME).acquire();
            shard.cutReplication();
            before.close();
            Lease lease = shard.client.getLock(NAME).acquire();

            shard.takeOver();

            lease.close();
            shard.assertNothingHeld();
        }
    }

    /** An owner that has released the lock does not get it back from a master that missed that, while another one has it. */
    @Test
    void handoff_notReplicated_formerOwnerFindsItBusy() {
        try (Shard shard = new Shard(binary())) {
            DistributedLock former = shard.client.getLock(NAME);
            assertThat(former.tryLock()).isTrue();
            shard.cutReplication();
            former.unlock();
            Lease lease = shard.client.getLock(NAME).acquire();

            shard.takeOver();

            assertThat(former.tryLock()).isFalse();
            lease.extend(LEASE);
            lease.close();
            shard.assertNothingHeld();
        }
    }

    /** The new master has the lock for as long as its owner requested: it ends there no earlier than here. */
    @Test
    void handoff_notReplicated_hasItsLease() {
        try (Shard shard = new Shard(binary())) {
            Lease before = shard.client.getLock(NAME).acquire();
            shard.cutReplication();
            before.close();
            long startNanos = System.nanoTime();
            Lease lease = shard.client.getLock(NAME).acquire(LEASE);

            shard.takeOver();

            assertThat(shard.client.getLock(NAME).tryLock()).isFalse();
            long leftMillis =
                    (Long) Objects.requireNonNull(shard.replica.server().command("PTTL", NAME));
            Duration passed = Duration.ofNanos(System.nanoTime() - startNanos);
            assertThat(Duration.ofMillis(leftMillis).plus(passed)).isGreaterThanOrEqualTo(LEASE);
            lease.close();
            shard.assertNothingHeld();
        }
    }

    /**
     * A new master that accepts no writes at first cannot be told of the present owner, whose hold is lost. What was released
     * before is released once it accepts them.
     */
    @Test
    void handoff_notReplicated_writesRefused_isReleased() throws InterruptedException {
        try (Shard shard = new Shard(binary())) {
            Lease before = shard.client.getLock(NAME).acquire();
            shard.cutReplication();
            before.close();
            Lease lease = shard.client.getLock(NAME).acquire();
            shard.replica.server().command("CONFIG", "SET", "min-replicas-to-write", "9");

            shard.promoteReplica();

            assertThat(get(lease.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.FAILOVER);
            shard.awaitClients();
            shard.replica.server().command("CONFIG", "SET", "min-replicas-to-write", "0");
            assertThat(shard.rival.getLock(NAME).tryLock(SOON)).isTrue();
            shard.rival.getLock(NAME).unlock();
            shard.assertNothingHeld();
        }
    }

    /** Tokens grow, although the new master has missed the last ones and its clock is behind them. */
    @Test
    void tokens_notReplicated_grow() {
        try (Shard shard = new Shard(binary())) {
            FencedLock lock = shard.client.getFencedLock(NAME);
            lock.acquire().close();
            shard.cutReplication();
            long ahead = (System.currentTimeMillis() + LEASE.toMillis()) * 1_000;
            shard.master.server().command("SET", "redisson_lock_token:{" + NAME + "}", Long.toString(ahead));
            long last;
            try (Lease lease = lock.acquire()) {
                last = lease.token();
            }
            assertThat(last).isGreaterThan(ahead);

            shard.promoteReplica();

            try (Lease lease = lock.acquire()) {
                assertThat(lease.token()).isGreaterThan(last);
            }
            try (Lease lease = shard.rival.getFencedLock(NAME).acquire()) {
                assertThat(lease.token()).isGreaterThan(last);
            }
        }
    }

    /** Two clients with many threads go on at once with a master that missed what they did last. */
    @Test
    void contended_takenOver_goesOn() {
        assertGoesOn(Shard::takeOver);
    }

    /** The same if the former master ends with all that is in flight. */
    @Test
    void contended_masterKilled_goesOn() {
        assertGoesOn(Shard::promoteReplica);
    }

    private void assertGoesOn(Consumer<Shard> failover) {
        try (Shard shard = new Shard(binary())) {
            Visits visits = new Visits();
            Crowd crowd = visits.crowd(shard.client.getLock(NAME), 4);
            Crowd rivals = visits.crowd(shard.rival.getLock(NAME), 4);
            eventually(() -> visits.entered() > 100);
            shard.cutReplication();
            int cut = visits.entered();
            eventually(() -> visits.entered() > cut + 100);

            visits.failOverWhileOwnersStay(() -> {
                failover.accept(shard);
                shard.awaitClients();
            });

            int before = visits.entered();
            eventually(() -> visits.entered() > before + 100);
            crowd.stop();
            rivals.stop();
            visits.assertLossesAreTold();
            shard.assertNothingHeld();
        }
    }

    /**
     * A replica that is promoted has none of the scripts, and loses them again and again: the chains of handoffs go on,
     * with one owner at a time.
     */
    @Test
    void contended_scriptsAreForgotten_goesOn() {
        try (Shard shard = new Shard(binary())) {
            Guarded guarded = new Guarded();
            Crowd crowd = new Crowd(shard.client.getLock(NAME), 8, guarded);
            Crowd rivals = new Crowd(shard.rival.getFencedLock(NAME), 8, guarded);
            eventually(() -> guarded.entered() > 100);
            shard.replica.server().command("SCRIPT", "FLUSH");

            shard.cluster.failover(shard.replica, Failover.AGREED);

            for (int i = 0; i < 10; i++) {
                int before = guarded.entered();
                eventually(() -> guarded.entered() > before + 20);
                shard.replica.server().command("SCRIPT", "FLUSH");
            }
            int before = guarded.entered();
            eventually(() -> guarded.entered() > before + 20);
            crowd.stop();
            rivals.stop();
            guarded.assertEntered(guarded.entered());
            shard.assertNothingHeld();
        }
    }
}

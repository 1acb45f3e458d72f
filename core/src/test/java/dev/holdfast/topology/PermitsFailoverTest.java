package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedSemaphore;
import dev.holdfast.Holdfast;
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import dev.holdfast.Permits;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.DataNode;
import dev.holdfast.testkit.topology.RedisSentinels;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A replica takes the place of a semaphore's master, and lacks what that has acknowledged last. */
@Tag("topology")
@Tag("slow")
final class PermitsFailoverTest {
    private static final String NAME = "failed over";

    private static final String KEY = "holdfast_semaphore:{" + NAME + "}";

    private static DistributedSemaphore semaphore(Holdfast client) {
        return client.getSemaphore(NAME, 3);
    }

    private static void awaitInLine(Holdfast client, int requests) {
        eventually(() -> semaphore(client).inspect().line().size() == requests);
    }

    /** Holders go on at a new master that has their permits, and those that wait are granted what is released there. */
    @Test
    void replicated_holdersAndWaitersGoOn() {
        try (Shard shard = new Shard(RedisBinary.byDefault());
                Holdfast third = shard.connect(Shard.LEASE)) {
            Shard.assumeSharded(shard.master.server());
            Permits all = semaphore(shard.client).acquire(3);
            CompletableFuture<Permits> one = semaphore(shard.rival).acquireAsync(2);
            awaitInLine(shard.client, 1);
            CompletableFuture<Permits> other = semaphore(third).acquireAsync(1);
            awaitInLine(shard.client, 2);
            shard.cluster.awaitInSync(shard.replica);

            shard.promoteReplica();

            all.extend(Shard.LEASE);
            awaitInLine(shard.client, 2);
            assertThat(one).isNotDone();
            assertThat(other).isNotDone();
            all.close();
            Permits two = get(one);
            Permits last = get(other);
            assertThat(semaphore(shard.client).inspect().held()).isEqualTo(3);
            two.close();
            last.close();
            shard.assertNothingHeld();
        }
    }

    /** Permits that the new master lacks are granted once more, and their holder is told; those it has stay held. */
    @Test
    void grant_notReplicated_isLost() {
        try (Shard shard = new Shard(RedisBinary.byDefault())) {
            Permits kept = semaphore(shard.client).acquire(1);
            shard.cutReplication();
            Permits lost = semaphore(shard.client).acquire(2);

            shard.promoteReplica();

            assertThat(get(lost.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.FAILOVER);
            assertThat(get(semaphore(shard.rival).tryAcquireAsync(3, Duration.ZERO)))
                    .isEmpty();
            get(semaphore(shard.rival).tryAcquireAsync(2, SOON)).orElseThrow().close();
            kept.extend(Shard.LEASE);
            kept.close();
            shard.assertNothingHeld();
        }
    }

    /** Permits whose release the new master lacks come back there, too, although nobody holds a handle of them. */
    @Test
    void release_notReplicated_isRepeated() {
        try (Shard shard = new Shard(RedisBinary.byDefault())) {
            Permits all = semaphore(shard.client).acquire(3);
            shard.cutReplication();
            all.close();

            shard.promoteReplica();

            get(semaphore(shard.rival).tryAcquireAsync(3, SOON)).orElseThrow().close();
        }
    }

    /** The new master lacks the line: those that wait form it again, and are served. */
    @Test
    void line_notReplicated_formsAgain() {
        try (Shard shard = new Shard(RedisBinary.byDefault());
                Holdfast third = shard.connect(Shard.LEASE)) {
            Shard.assumeSharded(shard.master.server());
            Permits all = semaphore(shard.client).acquire(3);
            shard.cutReplication();
            CompletableFuture<Permits> one = semaphore(shard.rival).acquireAsync(2);
            awaitInLine(shard.client, 1);
            CompletableFuture<Permits> other = semaphore(third).acquireAsync(2);
            awaitInLine(shard.client, 2);

            shard.promoteReplica();

            awaitInLine(shard.client, 2);
            all.close();
            Stream.of(one, other)
                    .map(granted -> granted.thenCompose(Permits::releaseAsync))
                    .toList()
                    .forEach(end -> get(end));
            shard.assertNothingHeld();
        }
    }

    /** Under sentinels, holders and waiters go on at the new master. */
    @Test
    void sentinels_holdersAndWaitersGoOn() {
        try (RedisSentinels sentinels =
                        RedisSentinels.builder().binary(RedisBinary.byDefault()).start();
                Holdfast client = Holdfast.connect(sentinels.uri());
                Holdfast rival = Holdfast.connect(sentinels.uri())) {
            Permits all = semaphore(client).acquire(3);
            CompletableFuture<Permits> waiting = semaphore(rival).acquireAsync(2);
            awaitInLine(client, 1);
            DataNode old = sentinels.master();
            sentinels.replicas().forEach(sentinels::awaitInSync);

            old.server().kill();
            sentinels.awaitMasterOtherThan(old);

            all.extend(Duration.ofMinutes(1));
            assertThat(waiting).isNotDone();
            all.close();
            get(waiting).close();
        }
    }

    /** With replicated locks, permits are granted when a replica has them; those that it lacks are given back. */
    @Test
    void replicated_waitsForReplicas() {
        try (Shard shard = new Shard(RedisBinary.byDefault());
                Holdfast safe = Holdfast.builder()
                        .redisUri(shard.master.uri())
                        .replicated(1, Duration.ofSeconds(1))
                        .build()) {
            shard.cluster.awaitInSync(shard.replica);
            long before = CommandStats.waits(shard.master.server());
            Permits two = semaphore(safe).acquire(2);
            assertThat(shard.replica.server().keys()).contains(KEY);
            assertThat(CommandStats.waits(shard.master.server())).isEqualTo(before + 1);

            shard.replica.cutReplication();
            assertThatThrownBy(() -> get(semaphore(safe).acquireAsync(1)))
                    .isInstanceOf(LockException.class)
                    .hasMessageContainingAll(NAME, "0 of 1 replicas", "given back");

            get(semaphore(shard.rival).tryAcquireAsync(1, SOON)).orElseThrow().close();
            assertThat(semaphore(shard.rival).inspect().held()).isEqualTo(2);
            two.close();
        }
    }
}

package dev.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.leader.event.LeaderEventPublisher;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;

/** A leader that is elected by a lock steps down within a heartbeat when the lock is lost, and may lead again. */
final class LeaderElectionTest {
    private static final long HEARTBEAT_MILLIS = 200;

    /** Ends between two heartbeats. */
    private static final Duration BRIEF = Duration.ofMillis(HEARTBEAT_MILLIS / 2);

    private final RedisServer redis = RedisServer.start();
    private final Holdfast client = Holdfast.connect(redis.uri());
    private final Holdfast rival = Holdfast.connect(redis.uri());
    private final Queue<String> terms = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        client.close();
        rival.close();
        redis.close();
    }

    private LockRegistryLeaderInitiator initiator(LockRegistry<?> registry) {
        LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator(registry, new Recorded());
        initiator.setHeartBeatMillis(HEARTBEAT_MILLIS);
        initiator.setBusyWaitMillis(20);
        initiator.setLeaderEventPublisher(new Silent());
        initiator.start();
        return initiator;
    }

    private boolean isLocked() {
        return rival.getLock("registry:leader").isLocked();
    }

    /** When its key is deleted, the leader steps down at the next heartbeat, though the lease is far from its end. */
    @Test
    void deletedKey_endsTerm() {
        LockRegistryLeaderInitiator initiator = initiator(new HoldfastLockRegistry(client, "registry"));
        try {
            Awaitility.await().until(() -> terms.size() == 1);
            long deleted = System.nanoTime();
            assertThat(rival.getLock("registry:leader").forceUnlock()).isTrue();
            Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> terms.size() >= 2);
            assertThat(Duration.ofNanos(System.nanoTime() - deleted)).isLessThan(Duration.ofSeconds(5));
            Awaitility.await().until(() -> terms.size() >= 3 && isLocked());
            assertThat(terms).startsWith("granted", "revoked", "granted");
        } finally {
            initiator.stop();
        }
    }

    /** When its lease runs out between two heartbeats, the leader steps down instead of going on with a new hold. */
    @Test
    void expiryBetweenHeartbeats_endsTerm() {
        LockRegistryLeaderInitiator initiator = initiator(new HoldfastLockRegistry(client, "registry", BRIEF));
        try {
            Awaitility.await().until(() -> terms.size() >= 5);
            assertThat(terms).startsWith("granted", "revoked", "granted", "revoked", "granted");
        } finally {
            initiator.stop();
        }
    }

    /** While it leads, no other client holds the lock; a leader that stops hands over to the next one. */
    @Test
    void stoppedLeader_isSucceeded() {
        LockRegistryLeaderInitiator first = initiator(new HoldfastLockRegistry(client, "registry"));
        Awaitility.await().until(() -> first.getContext().isLeader());
        LockRegistryLeaderInitiator second = initiator(new HoldfastLockRegistry(rival, "registry"));
        try {
            assertThat(second.getContext().isLeader()).isFalse();
            first.stop();
            Awaitility.await().until(() -> second.getContext().isLeader());
            Awaitility.await().until(() -> terms.size() == 3);
            assertThat(terms).containsExactlyInAnyOrder("granted", "revoked", "granted");
        } finally {
            second.stop();
        }
    }

    /** That a naive adapter fails: its leader goes on although its lease ends in each heartbeat, and others hold the lock. */
    @Test
    void naiveAdapter_goesOn() {
        LockRegistryLeaderInitiator initiator = initiator(new NaiveLockRegistry(client, BRIEF));
        ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
        try {
            Awaitility.await().until(() -> terms.size() == 1);
            Queue<Boolean> held = new ConcurrentLinkedQueue<>();
            var unused = watch.scheduleWithFixedDelay(() -> held.add(isLocked()), 0, 5, TimeUnit.MILLISECONDS);
            Awaitility.await()
                    .until(() -> held.stream().filter(locked -> !locked).count() > 20);
            assertThat(initiator.getContext().isLeader()).isTrue();
            assertThat(terms).containsExactly("granted");
        } finally {
            watch.shutdownNow();
            initiator.stop();
        }
    }

    private final class Recorded extends DefaultCandidate {
        Recorded() {
            super("candidate", "leader");
        }

        @Override
        public void onGranted(Context context) {
            terms.add("granted");
        }

        @Override
        public void onRevoked(Context context) {
            terms.add("revoked");
        }
    }

    private static final class Silent implements LeaderEventPublisher {
        @Override
        public void publishOnGranted(Object source, Context context, String role) {}

        @Override
        public void publishOnRevoked(Object source, Context context, String role) {}

        @Override
        public void publishOnFailedToAcquire(Object source, Context context, String role) {}
    }
}

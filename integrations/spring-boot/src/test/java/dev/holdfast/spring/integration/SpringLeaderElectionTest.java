package dev.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.RedisServer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.leader.event.LeaderEventPublisher;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;

/** A leader that is elected by a lock steps down within a heartbeat when the lock is lost, and may lead again. */
final class SpringLeaderElectionTest {
    private static final long HEARTBEAT_MILLIS = 200;

    /** Ends between two heartbeats. */
    private static final Duration BRIEF = Duration.ofMillis(HEARTBEAT_MILLIS / 2);

    private final RedisServer redis = RedisServer.start();
    private final Holdfast client = Holdfast.connect(redis.uri());
    private final Holdfast rival = Holdfast.connect(redis.uri());
    private final Queue<String> terms = new ConcurrentLinkedQueue<>();
    private final Queue<String> refused = new ConcurrentLinkedQueue<>();
    private final AtomicInteger heartbeats = new AtomicInteger();

    /** The number of the heartbeat that ended each term. */
    private final Queue<Integer> revokedAt = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        client.close();
        rival.close();
        redis.close();
    }

    private LockRegistryLeaderInitiator initiator(String id, LockRegistry<?> registry) {
        return initiator(id, registry, HEARTBEAT_MILLIS);
    }

    private LockRegistryLeaderInitiator initiator(String id, LockRegistry<?> registry, long heartbeatMillis) {
        LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator(registry, new Recorded(id));
        initiator.setHeartBeatMillis(heartbeatMillis);
        initiator.setBusyWaitMillis(20);
        initiator.setPublishFailedEvents(true);
        initiator.setLeaderEventPublisher(new Refusals(id));
        initiator.start();
        return initiator;
    }

    private boolean isLocked() {
        return rival.getLock("registry:leader").isLocked();
    }

    /** {@return this registry, with locks that count the heartbeats, each of which is one attempt to enter the lock} */
    private LockRegistry<Lock> counted(LockRegistry<?> registry) {
        return key -> {
            Lock lock = registry.obtain(key);
            InvocationHandler counting = (proxy, method, arguments) -> {
                if (method.getName().equals("tryLock")) {
                    heartbeats.incrementAndGet();
                }
                try {
                    return method.invoke(lock, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            };
            return (Lock) Proxy.newProxyInstance(Lock.class.getClassLoader(), new Class<?>[] {Lock.class}, counting);
        };
    }

    /** When its key is deleted, the leader steps down at the next heartbeat, though the lease is far from its end. */
    @Test
    void deletedKey_endsTerm() {
        LockRegistryLeaderInitiator initiator =
                initiator("first", counted(new HoldfastLockRegistry(client, "registry")));
        try {
            Eventually.await().until(() -> terms.size() == 1);
            assertThat(rival.getLock("registry:leader").forceUnlock()).isTrue();
            int before = heartbeats.get();
            Eventually.await().until(() -> terms.size() >= 3 && isLocked());
            assertThat(terms).startsWith("first granted", "first revoked", "first granted");
            assertThat(Objects.requireNonNull(revokedAt.peek())).isLessThanOrEqualTo(before + 1);
        } finally {
            initiator.stop();
        }
    }

    /** When its lease runs out between two heartbeats, the leader steps down instead of going on with a new hold. */
    @Test
    void expiryBetweenHeartbeats_endsTerm() {
        LockRegistryLeaderInitiator initiator = initiator("first", new HoldfastLockRegistry(client, "registry", BRIEF));
        try {
            Eventually.await().until(() -> terms.size() >= 5);
            assertThat(terms)
                    .startsWith("first granted", "first revoked", "first granted", "first revoked", "first granted");
        } finally {
            initiator.stop();
        }
    }

    /** While it leads, other candidates are refused; when it stops, one of these is granted the role. */
    @Test
    void stoppedLeader_isSucceeded() {
        LockRegistryLeaderInitiator first = initiator("first", new HoldfastLockRegistry(client, "registry"));
        Eventually.await().until(() -> terms.contains("first granted"));
        LockRegistryLeaderInitiator second = initiator("second", new HoldfastLockRegistry(rival, "registry"));
        try {
            Eventually.await().until(() -> refused.contains("second"));
            assertThat(terms).containsExactly("first granted");
            first.stop();
            Eventually.await().until(() -> terms.containsAll(List.of("first revoked", "second granted")));
            assertThat(terms).hasSize(3);
        } finally {
            first.stop();
            second.stop();
        }
    }

    /** That a naive adapter fails: its leader goes on although its lease ends in each heartbeat, and others hold the lock. */
    @Test
    void naiveAdapter_goesOn() {
        // A lease that ends on a busy machine before its grant is known would end the term.
        LockRegistryLeaderInitiator initiator =
                initiator("first", new NaiveLockRegistry(client, Duration.ofSeconds(1)), 2_000);
        ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
        try {
            Eventually.await().until(() -> terms.size() == 1);
            Queue<Boolean> held = new ConcurrentLinkedQueue<>();
            var unused = watch.scheduleWithFixedDelay(() -> held.add(isLocked()), 0, 5, TimeUnit.MILLISECONDS);
            Eventually.await()
                    .until(() -> held.stream().filter(locked -> !locked).count() > 20);
            assertThat(initiator.getContext().isLeader()).isTrue();
            assertThat(terms).containsExactly("first granted");
        } finally {
            watch.shutdownNow();
            initiator.stop();
        }
    }

    private final class Recorded extends DefaultCandidate {
        Recorded(String id) {
            super(id, "leader");
        }

        @Override
        public void onGranted(Context context) {
            terms.add(getId() + " granted");
        }

        @Override
        public void onRevoked(Context context) {
            revokedAt.add(heartbeats.get());
            terms.add(getId() + " revoked");
        }
    }

    private final class Refusals implements LeaderEventPublisher {
        private final String id;

        Refusals(String id) {
            this.id = id;
        }

        @Override
        public void publishOnGranted(Object source, Context context, String role) {}

        @Override
        public void publishOnRevoked(Object source, Context context, String role) {}

        @Override
        public void publishOnFailedToAcquire(Object source, Context context, String role) {
            refused.add(id);
        }
    }
}

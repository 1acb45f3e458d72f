package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockHolder;
import dev.holdfast.LockInfo;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What {@code inspect()} and the other queries show of a lock. */
@Tag("client")
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // the test is about the locking; no work is done under it
final class InspectTest {
    private static final String LABEL = "pod 7: Größe";

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final Holdfast labelled = redis.client(builder -> builder.label(LABEL));
    private final DistributedLock lock = labelled.getLock(redis.name());

    private static LockInfo seen() {
        return redis.lock().inspect();
    }

    private static LockHolder holder() {
        return seen().holder().orElseThrow();
    }

    private static Instant now() {
        return Instant.ofEpochMilli(System.currentTimeMillis());
    }

    /** A client's label is shown while it owns the lock, and no longer. */
    @Test
    void label_ofTheHolder() {
        try (Lease lease = lock.acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(holder().label()).hasValue(LABEL);
            assertThat(holder().owner()).startsWith(labelled.clientId() + ":");
        }
        assertThat(seen().holders()).isEmpty();
        try (Lease lease = redis.lock().acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(holder().label()).isEmpty();
        }
    }

    /** The label stays through re-entries, partial releases and handoffs within the client. */
    @Test
    void label_stays() {
        lock.lock();
        lock.lock();
        assertThat(holder().label()).hasValue(LABEL);
        assertThat(seen().holdCount()).isEqualTo(2);
        lock.unlock();
        assertThat(holder().label()).hasValue(LABEL);
        CompletableFuture<Lease> next = lock.acquireAsync();
        Patience.await().until(() -> labelled.stats().waiters() == 1);
        lock.unlock();
        Lease received = Patience.get(next);
        assertThat(holder().label()).hasValue(LABEL);
        received.close();
        assertThat(redis.keys()).isEmpty();
    }

    /** A label that cannot be encoded exactly is rejected. */
    @Test
    void label_notUnicode() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Holdfast.builder().label("\ud800"))
                .withMessageContaining("label");
    }

    /** The start of a hold is the grant, unaffected by later re-entries, renewals and queries. */
    @Test
    void since_theGrant() {
        Instant before = now();
        lock.lock();
        Instant after = now();
        assertThat(holder().since())
                .hasValueSatisfying(since -> assertThat(since).isBetween(before, after));
        Instant since = holder().since().orElseThrow();
        Patience.await().until(() -> now().isAfter(after.plusMillis(20)));
        lock.lock();
        assertThat(holder().since()).hasValue(since);
        lock.unlock();
        assertThat(holder().since()).hasValue(since);
        lock.unlock();
        assertThat(seen().holders()).isEmpty();
    }

    /** The hold of a waiter starts when the lock is handed off to it, not when it began to wait. */
    @Test
    void since_ofAWaiter() {
        Lease holder = lock.acquire();
        CompletableFuture<Lease> waiting = lock.acquireAsync();
        Patience.await().until(() -> labelled.stats().waiters() == 1);
        Instant began = now();
        assertThatHeldSince(began, holder, waiting);
    }

    /** That of a client in line starts with the attempt that got its place. */
    @Test
    void since_ofAClientInLine() {
        Lease holder = lock.acquire();
        Instant before = now();
        CompletableFuture<Lease> waiting = redis.rival().getLock(redis.name()).acquireAsync();
        Patience.await().until(() -> redis.rival().stats().waiters() == 1);
        assertThatHeldSince(before, holder, waiting);
    }

    private void assertThatHeldSince(Instant earliest, Lease holder, CompletableFuture<Lease> waiting) {
        Instant began = now();
        Patience.await().until(() -> now().isAfter(began.plusMillis(100)));
        holder.close();
        try (Lease next = Patience.get(waiting)) {
            assertThat(next.isValid()).isTrue();
            assertThat(holder().since())
                    .hasValueSatisfying(since -> assertThat(since).isBetween(earliest, now()));
        }
    }

    /** Each subscribed client counts once, however many of its threads wait. */
    @Test
    void listeners_areClients() {
        DistributedLock contended = redis.client().getLock(redis.name() + " contended");
        DistributedLock elsewhere = redis.rival().getLock(contended.name());
        assertThat(contended.inspect().listeners()).hasValue(0);
        Lease holder = contended.acquire();
        List<CompletableFuture<?>> waiters = new ArrayList<>();
        waiters.add(elsewhere.acquireAsync().thenAccept(Lease::close));
        waiters.add(elsewhere.acquireAsync().thenAccept(Lease::close));
        Patience.await().until(() -> contended.inspect().listeners().orElse(0) == 1);
        waiters.add(labelled.getLock(contended.name()).acquireAsync().thenAccept(Lease::close));
        Patience.await().until(() -> contended.inspect().listeners().orElse(0) == 2);
        assertThat(Patience.get(contended.inspectAsync()).listeners()).hasValue(2);
        holder.close();
        waiters.forEach(Patience::get);
    }

    /** The owners that wait for each condition are shown in the order in which signals wake them; the lock is free meanwhile. */
    @Test
    void conditionWaiters_inOrder() {
        Holdfast client = redis.briskClient();
        Holdfast rival = redis.briskClient();
        DistributedLock ours = client.getLock(redis.name());
        DistributedLock theirs = rival.getLock(redis.name());
        List<CompletableFuture<?>> waiters = new ArrayList<>();
        waiters.add(awaits(ours, ours.getCondition("full")));
        waiters.add(awaits(theirs, theirs.getCondition("full")));
        waiters.add(awaits(ours, ours.getCondition("full")));
        waiters.add(awaits(theirs, theirs.newCondition()));

        LockInfo seen = seen();
        assertThat(seen.isLocked()).isFalse();
        assertThat(seen.conditionWaiters()).containsOnlyKeys("full", "");
        assertThat(clientsOf(seen.conditionWaiters().getOrDefault("full", List.of())))
                .containsExactly(client.clientId(), rival.clientId(), client.clientId());
        assertThat(clientsOf(seen.conditionWaiters().getOrDefault("", List.of())))
                .containsExactly(rival.clientId());

        ours.runLocked(ours.getCondition("full")::signal);
        Patience.get(waiters.get(0));
        assertThat(clientsOf(seen().conditionWaiters().getOrDefault("full", List.of())))
                .containsExactly(rival.clientId(), client.clientId());
        ours.runLocked(() -> {
            ours.getCondition("full").signalAll();
            ours.newCondition().signal();
        });
        waiters.forEach(Patience::get);
        assertThat(seen().conditionWaiters()).isEmpty();
    }

    /** Begins to wait, and returns when that is to be seen. */
    private static CompletableFuture<?> awaits(DistributedLock of, Condition condition) {
        long before = waiters();
        CompletableFuture<?> waiting = redis.worker().begins(() -> of.runLocked(condition::awaitUninterruptibly));
        Patience.await().until(() -> waiters() == before + 1);
        return waiting;
    }

    private static long waiters() {
        return seen().conditionWaiters().values().stream().mapToLong(List::size).sum();
    }

    private static List<String> clientsOf(List<String> owners) {
        return owners.stream().map(owner -> owner.replaceFirst(":-?\\d+$", "")).toList();
    }

    /** {@code isLocked()} and {@code remainingLease()} query the lock only, not the number of subscribers. */
    @Test
    void isLocked_sendsOneCommand() {
        String calls = pubsubCalls();
        assertThat(lock.isLocked()).isFalse();
        assertThat(lock.remainingLease()).isEmpty();
        assertThat(pubsubCalls()).isEqualTo(calls);
        assertThat(seen().remainingLease()).isEmpty();
        assertThat(pubsubCalls()).isNotEqualTo(calls);
    }

    private static String pubsubCalls() {
        return String.valueOf(redis.server().command("INFO", "commandstats"))
                .lines()
                .filter(line -> line.startsWith("cmdstat_pubsub"))
                .map(line -> line.replaceFirst(",.*", ""))
                .toList()
                .toString();
    }

    /** Every caller sees the same, except for the remaining time. */
    @Test
    void inspect_byAnyCaller() {
        try (Lease lease = lock.acquire(Duration.ofMinutes(1))) {
            assertThat(lease.isValid()).isTrue();
            LockInfo own = lock.inspect();
            LockInfo theirs = seen();
            assertThat(theirs)
                    .usingRecursiveComparison()
                    .ignoringFields("remainingLease")
                    .isEqualTo(own);
            assertThat(theirs.remainingLease()).isPresent();
        }
    }
}

package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.LockHolder;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import dev.holdfast.Worker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lock object has a name, and no state of its users. */
@Tag("client")
final class LockObjectTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    /** Two threads that acquire a lease each from one lock object get separate leases. */
    @Test
    void lease_isNotSharedThroughTheObject() {
        DistributedLock lock = redis.lock();
        Lease before = redis.rival().getLock(redis.name()).acquire();
        Worker brief = redis.worker();
        Worker patient = redis.worker();
        CompletableFuture<?> first = brief.begins(() -> lock.lock(Duration.ofMinutes(1)));
        Patience.await().until(() -> redis.client().stats().waiters() == 1);
        CompletableFuture<?> second = patient.begins(() -> lock.lock(Duration.ofHours(1)));
        Patience.await().until(() -> redis.client().stats().waiters() == 2);

        before.close();
        Patience.get(first);
        assertThat(lock.remainingLease().orElseThrow()).isLessThanOrEqualTo(Duration.ofMinutes(1));
        brief.does(lock::unlock);
        Patience.get(second);
        assertThat(lock.remainingLease().orElseThrow()).isGreaterThan(Duration.ofMinutes(1));
        patient.does(lock::unlock);

        brief.does(() -> lock.lock(Duration.ofMinutes(1)));
        assertThat(lock.remainingLease().orElseThrow()).isLessThanOrEqualTo(Duration.ofMinutes(1));
        brief.does(lock::unlock);
    }

    /** Every name is a lock of its own that excludes and wakes, whatever its characters and length. */
    @ParameterizedTest
    @ValueSource(strings = {"with spaces", "名前 ☃ 😀", "{tag}:rest", "a{", "}{", "two\r\nlines", "*", "$64\r\n", "LONG"})
    void name_ofAnyKind(String kind) {
        String name = redis.name() + (kind.equals("LONG") ? "x".repeat(64 * 1024) : kind);
        Lease holder = redis.client().getLock(name).acquire();
        assertThat(redis.client().getLock(name + " ").isLocked()).isFalse();
        assertThat(redis.keys()).containsExactly(name);
        CompletableFuture<Lease> waiting = redis.rival().getLock(name).acquireAsync();
        Patience.await().until(() -> redis.rival().stats().waiters() == 1);
        holder.close();
        Patience.get(waiting).close();
    }

    /** A prefix is added to the name in Redis only, and separates locks of the same name. */
    @Test
    void keyPrefix_onlyInRedis() {
        Holdfast prefixed = redis.client(builder -> builder.keyPrefix("shop:"));
        DistributedLock lock = prefixed.getLock(redis.name());
        try (Lease outside = redis.lock().acquire();
                Lease inside = lock.acquire()) {
            assertThat(redis.keys()).containsExactlyInAnyOrder(redis.name(), "shop:" + redis.name());
            assertThat(lock.name()).isEqualTo(redis.name());
            assertThat(lock.inspect().name()).isEqualTo(redis.name());
            assertThat(inside.isValid()).isEqualTo(outside.isValid());
        }
    }

    /** A prefix and a name denote the same lock as a name that begins with the prefix. */
    @Test
    void keyPrefix_isPartOfTheKey() {
        Holdfast prefixed = redis.client(builder -> builder.keyPrefix("shop:"));
        Lease holder = prefixed.getLock(redis.name()).acquire();
        CompletableFuture<Lease> waiting =
                redis.rival().getLock("shop:" + redis.name()).acquireAsync();
        Patience.await().until(() -> redis.rival().stats().waiters() == 1);
        assertThat(waiting).isNotDone();
        holder.close();
        Patience.get(waiting).close();
    }

    /**
     * A label is informational: it is in the messages, and beside the owner in Redis, but not part of the owner's
     * identity.
     */
    @Test
    void label_isNotIdentity() {
        Holdfast labelled = redis.client(builder -> builder.label("pod 7"));
        DistributedLock lock = labelled.getLock(redis.name());
        try (Lease lease = lock.acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(lock.inspect().holder().map(LockHolder::owner))
                    .hasValueSatisfying(owner ->
                            assertThat(owner).contains(labelled.clientId()).doesNotContain("pod 7"));
        }
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("[pod 7]");
    }

    /** Two clients never have the same id, so a thread of one is never taken for a thread of the other. */
    @Test
    void clientId_isEachClientsOwn() {
        assertThat(redis.client().clientId()).isNotEqualTo(redis.rival().clientId());
    }

    /** A negative wait given as a number counts as zero; given as a duration it is rejected. */
    @Test
    void tryLock_negativeWait() throws InterruptedException {
        DistributedLock lock = redis.lock();
        assertThat(lock.tryLock(-1, TimeUnit.SECONDS)).isTrue();
        lock.unlock();
        assertThatThrownBy(() -> lock.tryLock(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT-1S");
        assertThat(lock.isLocked()).isFalse();
    }

    /** The message of a signal without the lock names it. */
    @Test
    void signal_notHeld() {
        assertThatThrownBy(() -> redis.lock().newCondition().signal())
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining(redis.name());
    }

    /** A key of another type is never changed, and the exception names its type. */
    @Test
    void key_ofAnotherKind() {
        redis.server().command("SET", redis.name(), "not a lock");
        for (Worker.Deed deed : new Worker.Deed[] {
            () -> redis.lock().lock(),
            () -> redis.lock().inspect(),
            () -> Patience.get(redis.lock().lockAsync())
        }) {
            assertThatThrownBy(deed::act)
                    .isInstanceOf(LockException.class)
                    .hasMessageContaining(redis.name())
                    .hasMessageContaining("is a string, not a lock");
        }
        assertThat(redis.server().command("GETDEL", redis.name())).isEqualTo("not a lock");
    }
}

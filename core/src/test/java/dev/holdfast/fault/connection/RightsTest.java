package dev.holdfast.fault.connection;

import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CapturedWarnings;
import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.Rights;
import dev.holdfast.internal.node.RedisErrors;
import dev.holdfast.testkit.Direction;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Redis refuses commands: each message says what was refused, and which right to grant if one is missing. */
@Tag("fault")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
class RightsTest {
    private static final String NAME = "orders:42";

    /** The rights that a lock needs; a user with these and no others can do everything. */
    static final List<String> ENOUGH = Rights.of("~orders:*", "&redisson_lock__channel:*");

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    /** A user without INFO, CLIENT and SCRIPT LOAD, which only has the rights of a lock, can do everything. */
    @Test
    void enough_everythingWorks() throws Exception {
        Holdfast client = faulty.restricted(ENOUGH);
        DistributedLock lock = client.getLock(NAME);

        lock.lock();
        lock.lock();
        CompletableFuture<Boolean> waiter = elsewhere(() -> {
            boolean acquired = lock.tryLock(Duration.ofSeconds(10));
            lock.unlock();
            return acquired;
        });
        faulty.awaitWaiting(client, 1);
        assertThat(lock.inspect().holdCount()).isEqualTo(2);
        assertThat(lock.inspect().listeners()).as("without PUBSUB").isEmpty();
        assertThat(lock.inspect().conditionWaiters()).as("without the key").isEmpty();
        lock.unlock();
        lock.unlock();

        assertThat(get(waiter)).isTrue();
        assertThat(lock.forceUnlock()).isFalse();
    }

    /** Each missing command is named, by the first call that needs it. */
    @ParameterizedTest
    @ValueSource(strings = {"evalsha", "hget", "hset", "pttl", "pexpire"})
    void commandMissing_namesIt(String command) {
        DistributedLock lock = faulty.restricted(without("+" + command)).getLock(NAME);

        assertThatThrownBy(lock::lock)
                .isInstanceOf(LockException.class)
                .hasMessageContainingAll(NAME, "grant", "+" + command);
        assertThatThrownBy(() -> assertThat(lock.tryLock()).isFalse())
                .isInstanceOf(LockException.class)
                .hasMessageContaining("+" + command);
        assertWorksWhenGranted(lock);
    }

    /** A forbidden key is named as a pattern to grant. */
    @Test
    void keyMissing_namesIt() {
        DistributedLock lock = faulty.restricted(ENOUGH).getLock("invoices:1");

        assertThatThrownBy(lock::lock)
                .isInstanceOf(LockException.class)
                .hasMessageContainingAll("grant", "~invoices:1");
        assertWorksWhenGranted(lock);
    }

    /** With a key prefix, the whole key is named. */
    @Test
    void keyMissing_namesThePrefixToo() {
        Holdfast client = faulty.client(builder -> builder.keyPrefix("prod:").redisUri(user(ENOUGH)));
        DistributedLock lock = client.getLock("invoices:1");

        assertThatThrownBy(lock::lock).isInstanceOf(LockException.class).hasMessageContaining("~prod:invoices:1");
        assertWorksWhenGranted(lock);
    }

    /** A user that may not subscribe cannot wait; it can acquire a free lock. */
    @ParameterizedTest
    @CsvSource({"+subscribe, +subscribe", "&redisson_lock__channel:*, &redisson_lock__channel:{orders:42}"})
    void subscribeRefused_waitersFail(String missing, String named) {
        DistributedLock lock = faulty.restricted(without(missing)).getLock(NAME);
        Lease holder = faulty.bystander().getLock(NAME).acquire();

        assertThatThrownBy(() -> get(lock.acquireAsync()))
                .isInstanceOf(LockException.class)
                .hasMessageContainingAll(NAME, "grant", named);
        assertThat(lock.tryLock()).isFalse();

        holder.close();
        lock.lock();
        lock.unlock();
    }

    /**
     * A release whose message cannot be published takes effect; that is logged once, and waiters wait for the lease at
     * most.
     */
    @ParameterizedTest
    @CsvSource({"+publish, +publish", "&redisson_lock__channel:*, &redisson_lock__channel:{orders:42}"})
    void publishRefused_releaseSucceeds(String missing, String named) {
        Holdfast client = faulty.restricted(without(missing));
        DistributedLock lock = client.getLock(NAME);
        Duration lease = Duration.ofSeconds(2);
        CompletableFuture<Lease> waiting;
        List<String> warnings;
        try (CapturedWarnings captured = new CapturedWarnings()) {
            lock.lock(lease);
            Holdfast others = faulty.bystander();
            waiting = others.getLock(NAME).acquireAsync();
            faulty.awaitWaiting(others, 1);
            lock.unlock();
            DistributedLock another = client.getLock("orders:43");
            another.lock();
            another.unlock();
            warnings = captured.of(RedisErrors.class);
        }

        assertThat(warnings).singleElement().asString().contains(NAME, "refused to publish", named);
        assertThat(faulty.server().keys()).isEmpty();
        get(waiting).close();
    }

    /** The release of an unwanted grant wakes the waiters of its own client, even if it cannot be published. */
    @Test
    void publishRefused_orphanWakesWaiters() {
        Holdfast client = faulty.restricted(without("+publish"));
        DistributedLock lock = client.getLock(NAME);
        lock.lock();
        lock.unlock();
        faulty.server().command("ACL", "SETUSER", "app", "-del");
        faulty.proxy().blackHole(Direction.REPLIES);
        CompletableFuture<Lease> unwanted = lock.acquireAsync();
        eventually(() -> !faulty.server().keys().isEmpty());
        unwanted.cancel(false);
        faulty.proxy().heal();
        CompletableFuture<Lease> waiting = lock.acquireAsync();
        faulty.awaitWaiting(client, 1);

        faulty.server().command("ACL", "SETUSER", "app", "+del");

        get(waiting, SOON).close();
    }

    /** A forced unlock whose message cannot be published takes effect, too. */
    @Test
    void publishRefused_forceUnlockSucceeds() {
        DistributedLock lock = faulty.restricted(without("+publish")).getLock(NAME);
        lock.lock();

        assertThat(lock.forceUnlock()).isTrue();

        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
    }

    /** A server that became a replica cannot hold locks, and the message says so and where they belong. */
    @Test
    void replica_isReported() {
        Holdfast client = faulty.hastyClient();
        DistributedLock lock = client.getLock(NAME);
        faulty.server().command("REPLICAOF", "127.0.0.1", "1");

        assertThatThrownBy(lock::lock)
                .isInstanceOf(LockException.class)
                .hasMessageContainingAll(NAME, "read-only replica", "master");
        assertThatThrownBy(() -> assertThat(lock.tryLock()).isFalse()).isInstanceOf(LockException.class);
        assertThatThrownBy(lock::isLocked).isInstanceOf(LockException.class).hasMessageContaining("read-only replica");
        faulty.server().command("REPLICAOF", "NO", "ONE");
        eventually(client::isConnected);
        assertThat(lock.isLocked()).isFalse();
    }

    /** A key of another type is not changed, and every call names its type. */
    @ParameterizedTest
    @ValueSource(strings = {"string", "list", "set"})
    void keyOfAnotherType_isNamed(String type) {
        DistributedLock lock = faulty.client().getLock(NAME);
        switch (type) {
            case "string" -> faulty.server().command("SET", NAME, "not a lock");
            case "list" -> faulty.server().command("RPUSH", NAME, "not a lock");
            default -> faulty.server().command("SADD", NAME, "not a lock");
        }

        assertThatThrownBy(lock::lock).isInstanceOf(LockException.class).hasMessageContainingAll(NAME, "is a " + type);
        assertThatThrownBy(() -> assertThat(lock.tryLock()).isFalse())
                .isInstanceOf(LockException.class)
                .hasMessageContaining("is a " + type);
        assertThatThrownBy(lock::inspect).isInstanceOf(LockException.class).hasMessageContaining("is a " + type);
        assertThatThrownBy(() -> get(lock.acquireAsync()))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("is a " + type);

        faulty.server().command("DEL", NAME);
        lock.lock();
        lock.unlock();
    }

    /** A right that is granted later takes effect on the existing connection. */
    private void assertWorksWhenGranted(DistributedLock lock) {
        List<String> rights = new ArrayList<>(ENOUGH);
        rights.add("~*");
        user(rights);
        lock.lock();
        lock.unlock();
    }

    private RedisURI user(List<String> rights) {
        return faulty.user(rights.toArray(String[]::new));
    }

    private static List<String> without(String right) {
        return Rights.without(right, ENOUGH);
    }
}

package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.TIMEOUT;
import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CapturedWarnings;
import dev.holdfast.ConnectionProblem;
import dev.holdfast.DistributedLock;
import dev.holdfast.FencedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.ProxiedConnection;
import dev.holdfast.testkit.RedisServer;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.SocketAddressResolver;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One server behind a name that moves to another one, while connections to the first stay open. */
@Tag("topology")
@Tag("driver")
class MovedNameTest {
    private static final String NAME = "moved";
    private static final Duration LEASE = Duration.ofSeconds(60);

    private final RedisServer first = RedisServer.builder().start();
    private final RedisServer second = RedisServer.builder().start();
    private final FaultProxy name = FaultProxy.inFrontOf(first);

    @AfterEach
    void stop() {
        name.close();
        first.close();
        second.close();
    }

    private HoldfastBuilder settings() {
        return Holdfast.builder().redisUri(name.uri()).watchdogTimeout(LEASE).reconnectDelay(Duration.ofMillis(50));
    }

    private void replicate() {
        second.command("REPLICAOF", "127.0.0.1", Integer.toString(first.port()));
        eventually(() -> second.info("master_link_status").equals("up"));
    }

    private void awaitReplicated() {
        eventually(() -> second.keys().equals(first.keys()));
    }

    /** The replica is promoted, the name moves to it, and the former master becomes its replica. */
    private void failOver() {
        second.command("REPLICAOF", "NO", "ONE");
        name.moveTo(second);
        first.command("REPLICAOF", "127.0.0.1", Integer.toString(second.port()));
    }

    private void cut(Predicate<ProxiedConnection> which) {
        name.matching(which).cutRst();
    }

    private static ClientResources resolvingTo(Supplier<RedisServer> named) {
        return ClientResources.builder()
                .socketAddressResolver(new SocketAddressResolver() {
                    @Override
                    public SocketAddress resolve(RedisURI uri) {
                        RedisServer server = named.get();
                        return new InetSocketAddress(server.host(), server.port());
                    }
                })
                .build();
    }

    private static boolean isOfCommands(ProxiedConnection connection) {
        return connection.commands("SCRIPT") > 0;
    }

    private void awaitBothAt(RedisServer server, RedisServer notAt) {
        eventually(() -> assertThat(notAt.clients()).noneMatch(MovedNameTest::isClient));
        eventually(() ->
                assertThat(server.clients()).filteredOn(MovedNameTest::isClient).hasSize(2));
    }

    private static boolean isClient(String line) {
        return line.contains("lib-name=Lettuce")
                || line.matches(".* cmd=(evalsha|subscribe|unsubscribe|client|ping|pubsub|script|hello|info).*");
    }

    /** A demoted master answers that it is read-only; the client follows the name, and keeps its holds. */
    @Test
    void demoted_isLeft() throws InterruptedException {
        replicate();
        try (Holdfast client = settings().build()) {
            Lease held = client.getLock(NAME).acquire();
            awaitReplicated();

            failOver();

            assertThat(client.getLock("another").tryLock(SOON)).isTrue();
            client.getLock("another").unlock();
            assertThat(held.isValid()).isTrue();
            assertThat(second.keys()).hasSize(1);
            held.close();
            assertThat(second.keys()).isEmpty();
            awaitBothAt(second, first);
        }
    }

    /** A hold that was not replicated is lost, for the reason that says so: the other server runs for longer than it takes. */
    @Test
    void notReplicated_isLostByFailover() {
        eventually(() -> Integer.parseInt(second.info("uptime_in_seconds")) >= 3);
        try (Holdfast client = settings().build()) {
            DistributedLock lock = client.getLock(NAME);
            lock.lock();

            name.moveTo(second);
            cut(connection -> true);

            eventually(() -> !lock.isHeldByCurrentThread());
            assertThatThrownBy(lock::unlock)
                    .isInstanceOfSatisfying(LeaseLostException.class, lost -> assertThat(lost.reason())
                            .isEqualTo(LossReason.FAILOVER));
        }
    }

    /** The same server, restarted without its data, is no other one. */
    @Test
    void restartedEmpty_isGone() {
        try (Holdfast client = settings().build()) {
            DistributedLock lock = client.getLock(NAME);
            lock.lock();

            first.restartEmpty();

            eventually(() -> !lock.isHeldByCurrentThread());
            assertThatThrownBy(lock::unlock)
                    .isInstanceOfSatisfying(LeaseLostException.class, lost -> assertThat(lost.reason())
                            .isEqualTo(LossReason.GONE));
        }
    }

    /** A server that comes back with older data has a lock that was released since: it is released again. */
    @Test
    void olderData_isReleasedAgain() throws InterruptedException {
        try (Holdfast client = settings().build();
                Holdfast other = settings().build()) {
            Lease held = client.getLock(NAME).acquire();
            first.command("SAVE");
            held.close();
            assertThat(first.keys()).isEmpty();

            first.kill();
            first.restart();

            assertThat(other.getLock(NAME).tryLock(SOON)).isTrue();
            other.getLock(NAME).unlock();
        }
    }

    /** So it is if the server does not say which process it is. */
    @Test
    void olderData_unknownProcess_isReleasedAgain() throws InterruptedException {
        first.command("ACL", "SETUSER", "default", "-info");
        olderData_isReleasedAgain();
    }

    /** The tokens of a fenced lock grow, whatever the other server has of them. */
    @Test
    void tokens_grow() {
        try (Holdfast client = settings().build()) {
            FencedLock lock = client.getFencedLock(NAME);
            long before = lock.lockAndGetToken();
            lock.unlock();
            long ahead = before + TimeUnit.DAYS.toMicros(1);
            first.command("SET", "redisson_lock_token:{" + NAME + "}", Long.toString(ahead));
            long last = lock.lockAndGetToken();
            lock.unlock();

            name.moveTo(second);
            cut(connection -> true);

            assertThat(last).isGreaterThan(ahead);
            assertThat(lock.lockAndGetToken()).isGreaterThan(last);
            lock.unlock();
        }
    }

    /** The driver resolves the name at each connect, of either connection. */
    @Test
    void resolvedAnew() throws InterruptedException {
        AtomicReference<RedisServer> named = new AtomicReference<>(first);
        ClientResources resources = resolvingTo(named::get);
        try (Holdfast client = settings().clientResources(resources).build()) {
            first.command("REPLICAOF", second.host(), Integer.toString(second.port()));
            named.set(second);

            assertThat(client.getLock(NAME).tryLock(SOON)).isTrue();
            client.getLock(NAME).unlock();
            awaitBothAt(second, first);
        } finally {
            resources.shutdown(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    /** A demoted master to which the name still leads is not used, and the same connection is, once it is promoted again. */
    @Test
    void promotedAgain_isUsed() throws InterruptedException {
        try (Holdfast client = settings().build()) {
            DistributedLock lock = client.getLock(NAME);
            first.command("REPLICAOF", second.host(), Integer.toString(second.port()));
            assertThatThrownBy(() -> lock.tryLock(Duration.ofMillis(500)))
                    .isInstanceOf(LockException.class)
                    .hasMessageContaining("read-only replica");
            eventually(() -> assertThat(client.connectionProblems())
                    .singleElement()
                    .extracting(ConnectionProblem::reason)
                    .asString()
                    .contains("read-only replica"));
            assertThat(client.isConnected()).isFalse();

            first.command("REPLICAOF", "NO", "ONE");

            // A reply of the replica may be read after the first reconnect.
            eventually(() -> client.isConnected() && client.connectionProblems().isEmpty());
            assertThat(lock.tryLock(SOON)).isTrue();
            lock.unlock();
        }
    }

    /** The connections lead to two servers again when they have been opened anew: that is repeated, after a pause. */
    @Test
    @Tag("slow")
    void apartAgain_isOpenedAgain() {
        AtomicInteger resolved = new AtomicInteger();
        ClientResources resources = resolvingTo(() -> {
            int before = resolved.getAndIncrement();
            return before % 2 == 0 && before < 6 ? first : second;
        });
        try (CapturedWarnings warnings = new CapturedWarnings();
                Holdfast client = settings().clientResources(resources).build()) {
            // The first connections are made together, and not checked.
            first.command("CLIENT", "KILL", "TYPE", "normal");
            first.command("CLIENT", "KILL", "TYPE", "pubsub");

            awaitBothAt(second, first);

            assertThat(resolved).hasValue(7);
            assertThat(warnings.text()).containsOnlyOnce("lead to two servers");
            requireWoken(client);
        } finally {
            resources.shutdown(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    /** Only the subscriptions follow the name at first: the commands follow them. */
    @Test
    void subscriptionsMoved_commandsFollow() {
        try (Holdfast client = settings().build()) {
            assertThat(client.isConnected()).isTrue();
            name.moveTo(second);

            cut(connection -> !isOfCommands(connection));

            awaitBothAt(second, first);
            requireWoken(client);
        }
    }

    /** Only the commands follow the name at first: the subscriptions follow them. */
    @Test
    void commandsMoved_subscriptionsFollow() {
        try (Holdfast client = settings().build()) {
            name.moveTo(second);

            cut(MovedNameTest::isOfCommands);

            awaitBothAt(second, first);
            requireWoken(client);
        }
    }

    /** A waiter is woken by the release of another client of the second server. */
    private void requireWoken(Holdfast client) {
        try (Holdfast other =
                Holdfast.builder().redisUri(second.uri()).watchdogTimeout(LEASE).build()) {
            Lease held = other.getLock(NAME).acquire();
            var woken = elsewhere(() -> client.getLock(NAME).tryLock(TIMEOUT));
            eventually(() -> client.stats().waiters() == 1 && !second.channels().isEmpty());
            held.close();
            assertThat(get(woken, SOON)).isTrue();
        }
    }
}

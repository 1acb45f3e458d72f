package dev.holdfast.internal.topology;

import static dev.holdfast.FaultyRedis.COMMAND_TIMEOUT;
import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.since;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.DocumentedMessages;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.testkit.RedisServer;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.EpollProvider;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a build that fails reports, and the forms of a Redis address that work. */
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
@Tag("driver")
class ConnectTest {
    private static final String NAME = "orders:42";
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis(
            RedisServer.builder().config("requirepass", "se:cr et").unixSocket());

    /** If nothing listens at the address, the build fails at once, and names the address. */
    @Test
    void build_down_namesTheAddress() throws IOException {
        int port;
        try (ServerSocket closedSoon = new ServerSocket(0)) {
            port = closedSoon.getLocalPort();
        }

        assertFails("redis://127.0.0.1:" + port, "127.0.0.1:" + port, "refused");
    }

    /** A cause without a message is reported by its class name. */
    @Test
    void reason_withoutMessage_isTheClass() {
        assertThat(Opening.reason(new ClosedChannelException())).isEqualTo("ClosedChannelException");
        assertThat(Opening.reason(new IOException("no route"))).isEqualTo("no route");
    }

    /**
     * If the server accepts the connection and never replies, the build fails after the connect timeout, and names that
     * timeout.
     */
    @Test
    void build_hung_failsInTime() {
        faulty.server().pause();
        long start = System.nanoTime();

        assertFails(faulty.proxy().uri(), "127.0.0.1:" + faulty.proxy().port());

        assertThat(since(start)).isBetween(CONNECT_TIMEOUT, CONNECT_TIMEOUT.plus(SOON));
    }

    /** A server whose handshake takes longer than the command timeout is waited for. */
    @Test
    void build_slow_succeeds() {
        Duration eachWay = Duration.ofMillis(150);
        faulty.proxy().delay(eachWay);
        RedisURI uri = RedisURI.create(faulty.proxy().uri());
        uri.setCredentialsProvider(RedisCredentialsProvider.from(() -> RedisCredentials.just(null, "se:cr et")));
        long start = System.nanoTime();

        HoldfastBuilder builder = Holdfast.builder().redisUri(uri).commandTimeout(eachWay.multipliedBy(3));
        try (Holdfast client = builder.build()) {
            assertThat(since(start)).isGreaterThan(eachWay.multipliedBy(4));
            assertThat(client.isConnected()).isTrue();
        }
    }

    /** A build that fails leaves no thread and no connection behind. */
    @Test
    void build_fails_leavesNothing() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();

        assertFails("redis://127.0.0.1:" + faulty.proxy().port(), "NOAUTH");

        FaultyRedis.eventually(() -> Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("holdfast-timer")
                        || thread.getName().startsWith("lettuce"))
                .allMatch(before::contains));
        FaultyRedis.eventually(() -> faulty.proxy().connections().isEmpty());
    }

    /** Nor does it leave a connection on event loops that the application shares. */
    @Test
    void build_fails_onSharedResources_leavesNothing() {
        ClientResources shared = ClientResources.create();
        try (RedisServer node =
                RedisServer.builder().config("cluster-enabled", "yes").start()) {
            HoldfastBuilder builder = Holdfast.builder().redisUri(node.uri()).clientResources(shared);

            assertThatThrownBy(builder::build).isInstanceOf(LockException.class);

            FaultyRedis.eventually(() -> node.clients().isEmpty());
        } finally {
            shared.shutdown(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    /** A wrong password is reported as such, without repeating it. */
    @Test
    void build_wrongPassword_isReported() {
        assertThatThrownBy(() ->
                        connect("redis://:wrong-one@127.0.0.1:" + faulty.proxy().port()))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("WRONGPASS")
                .hasMessageNotContaining("wrong-one");
    }

    /** A node of a cluster that has no slots is rejected, with a message that says so. */
    @Test
    void build_clusterWithoutSlots_isRefused() {
        try (RedisServer node =
                RedisServer.builder().config("cluster-enabled", "yes").start()) {
            assertFails(node.uri(), DocumentedMessages.of("A cluster without slots"));
        }
    }

    /** A URI with a password, a database or a user: each works. */
    @Test
    void build_everyKindOfUri_works() {
        faulty.server().command("ACL", "SETUSER", "app", "on", ">its own", "~*", "&*", "+@all");
        String address = "127.0.0.1:" + faulty.server().port();

        assertWorks(RedisURI.create(faulty.server().uri()));
        assertWorks(RedisURI.create("redis://app:its%20own@" + address));
        assertWorks(RedisURI.create("redis://app:its%20own@" + address + "/3"));
        assertThat(faulty.server().keys()).isEmpty();
    }

    /** A Unix domain socket works where the driver supports it; elsewhere the message says what is missing. */
    @Test
    void build_unixSocket_worksOrNamesWhatIsMissing() {
        String socket = faulty.server().unixSocket().toString();
        RedisURI uri = RedisURI.Builder.socket(socket)
                .withPassword("se:cr et".toCharArray())
                .build();
        if (EpollProvider.isAvailable()) {
            assertWorks(uri);
        } else {
            assertThatThrownBy(() -> assertWorks(uri))
                    .isInstanceOf(LockException.class)
                    .hasMessageContainingAll(socket, "epoll");
        }
    }

    /** The other nodes of a cluster could not be reached over the socket of one of them. */
    @Test
    void addressInCluster_ofASocket_isRefused() {
        assertThatThrownBy(() -> SeedNode.addressInCluster(
                        RedisURI.Builder.socket("/run/redis.sock").build()))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("/run/redis.sock")
                .hasMessageContainingAll(DocumentedMessages.of("A unix socket with a cluster"));
    }

    /** A lock is in the database that the URI names, and in no other. */
    @Test
    void build_database_isWhereTheLockIs() {
        RedisURI uri = RedisURI.create(faulty.server().uri());
        uri.setDatabase(3);
        try (Holdfast client = Holdfast.builder().redisUri(uri).build()) {
            DistributedLock lock = client.getLock(NAME);
            lock.lock();

            assertThat(lock.isLocked()).isTrue();
            assertThat(faulty.server().keys()).isEmpty();
            lock.unlock();
        }
    }

    /** A malformed URI is rejected as an argument, and the message shows the expected form. */
    @ParameterizedTest
    @ValueSource(strings = {"", "localhost", "localhost:6379", "http://localhost:6379", "redis://"})
    void uri_malformed_isRefused(String uri) {
        assertThatThrownBy(() -> Holdfast.builder().redisUri(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("redis://host:6379");
    }

    /** None of several nodes answers: each is named. */
    @Test
    void build_severalNodes_noneAnswers() {
        assertFails("redis://127.0.0.1:1,127.0.0.1:2", "127.0.0.1:1", "127.0.0.1:2", "refused");
    }

    /** Several servers that form no cluster cannot share a lock. */
    @Test
    void build_severalServers_withoutCluster_isRefused() {
        try (RedisServer one = RedisServer.start();
                RedisServer other = RedisServer.start()) {
            assertFails(
                    one.uri() + ",127.0.0.1:" + other.port(),
                    DocumentedMessages.of("Several servers that form no cluster"));
        }
    }

    /** A server that cannot say what its replicas have is refused by a client whose locks are to be replicated. */
    @Test
    void build_replicated_withoutWait_isRefused() {
        try (RedisServer server = without("WAIT")) {
            HoldfastBuilder builder = Holdfast.builder().redisUri(server.uri()).replicated(1, Duration.ofMillis(300));
            assertThatThrownBy(builder::build)
                    .isInstanceOf(LockException.class)
                    .hasMessageContainingAll(String.valueOf(server.port()), "WAIT")
                    .hasMessageContainingAll(DocumentedMessages.of("No `WAIT`", 0));
            assertWorks(RedisURI.create(server.uri()));
        }
    }

    /** A server that lacks a command which all locks need, or those of one kind: the first call names it. */
    @Test
    void commandUnknown_isNamed() {
        try (RedisServer server = without("EVALSHA");
                Holdfast client = connect(server.uri())) {
            assertThatThrownBy(client.getLock(NAME)::tryLock)
                    .isInstanceOf(LockException.class)
                    .hasMessageContaining(NAME)
                    .hasMessageContainingAll(DocumentedMessages.of("No scripts"));
        }
        try (RedisServer server = without("TIME");
                Holdfast client = connect(server.uri())) {
            client.getLock(NAME).acquire().close();
            assertThatThrownBy(client.getFencedLock(NAME)::tryLock)
                    .isInstanceOf(LockException.class)
                    .hasMessageContainingAll(DocumentedMessages.of("No `TIME`"));
        }
    }

    /** Commands that a managed service may lack, and without which a lock works. */
    @ParameterizedTest
    @ValueSource(strings = {"HELLO", "SCRIPT", "CLIENT", "PUBSUB", "TIME", "WAIT", "ROLE", "EVAL"})
    void commandUnknown_isNotNeeded(String command) {
        try (RedisServer server = without(command);
                Holdfast client = Holdfast.connect(server.uri());
                Holdfast rival = Holdfast.connect(server.uri())) {
            Lease held = client.getLock(NAME).acquire();
            CompletableFuture<Lease> waiting = rival.getLock(NAME).acquireAsync();
            FaultyRedis.eventually(() -> rival.stats().waiters() == 1 || waiting.isDone());
            assertThat(waiting).isNotDone();
            held.close();
            FaultyRedis.get(waiting).close();
        }
    }

    private static RedisServer without(String command) {
        return RedisServer.builder().config("rename-command", command, "\"\"").start();
    }

    /** A call without a deadline fails after the failover timeout. */
    @Test
    void failoverTimeout_endsACall() {
        Duration longest = Duration.ofMillis(700);
        try (Holdfast client = Holdfast.builder()
                .redisUri(faulty.server().uri())
                .commandTimeout(COMMAND_TIMEOUT)
                .failoverTimeout(longest)
                .build()) {
            faulty.server().kill();
            FaultyRedis.eventually(() -> !client.isConnected());
            long start = System.nanoTime();
            assertThatThrownBy(client.getLock(NAME)::lock).isInstanceOf(LockException.class);
            assertThat(since(start)).isGreaterThanOrEqualTo(longest);
        }
    }

    private static Holdfast connect(String uri) {
        return Holdfast.builder()
                .redisUri(uri)
                .watchdogTimeout(Duration.ofSeconds(10))
                .commandTimeout(COMMAND_TIMEOUT)
                .connectTimeout(CONNECT_TIMEOUT)
                .build();
    }

    private static void assertFails(String uri, String... message) {
        assertThatThrownBy(() -> connect(uri)).isInstanceOf(LockException.class).hasMessageContainingAll(message);
    }

    private static void assertWorks(RedisURI uri) {
        try (Holdfast client = Holdfast.builder().redisUri(uri).build();
                Lease lease = client.getLock(NAME).acquire()) {
            assertThat(lease.isValid()).isTrue();
        }
    }
}

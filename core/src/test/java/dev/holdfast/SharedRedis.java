package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;

/**
 * One server for all tests of a class, two clients of it for all of them, and more on demand. After each test it waits
 * until nothing of the test is left: no key, and no hold, waiter or command in a client. A channel may linger; see
 * {@link #awaitNoChannels}.
 */
public final class SharedRedis
        implements BeforeAllCallback, TestInstancePreConstructCallback, AfterEachCallback, AfterAllCallback {
    /** The lease of a hold that a client with short leases watches. */
    public static final Duration BRISK = Duration.ofMillis(600);

    private final RedisServer server = RedisServer.start();
    private final Holdfast first = Holdfast.connect(server.uri());
    private final Holdfast second = Holdfast.connect(server.uri());
    private final List<Holdfast> others = new ArrayList<>();
    private final List<Worker> workers = new ArrayList<>();
    private List<String> keysBefore = List.of();
    private String name = "";

    public RedisServer server() {
        return server;
    }

    /** {@return the client that most tests use} */
    public Holdfast client() {
        return first;
    }

    /** {@return another client, which competes with the first one} */
    public Holdfast rival() {
        return second;
    }

    /** {@return a client with settings of its own, which is checked and closed after the test} */
    public Holdfast client(UnaryOperator<HoldfastBuilder> settings) {
        Holdfast client = connect(settings);
        others.add(client);
        return client;
    }

    /** {@return a client whose watched leases are short, so that a test observes their renewal or expiry} */
    public Holdfast briskClient() {
        return client(SharedRedis::brisk);
    }

    public static HoldfastBuilder brisk(HoldfastBuilder builder) {
        return builder.watchdogTimeout(BRISK).commandTimeout(BRISK.dividedBy(2));
    }

    /** {@return a client with settings of its own, which the test closes and which is not checked} */
    public Holdfast connect(UnaryOperator<HoldfastBuilder> settings) {
        return settings.apply(Holdfast.builder().redisUri(server.uri())).build();
    }

    /** {@return a new thread, which ends after the test} */
    public Worker worker() {
        Worker worker = new Worker();
        workers.add(worker);
        return worker;
    }

    /** {@return a name for a lock that no other test uses} */
    public String name() {
        return name;
    }

    /** {@return the lock of this test, in the client that most tests use} */
    public DistributedLock lock() {
        return first.getLock(name);
    }

    /**
     * Deletes what the test has left in Redis: leases that have run out by a {@link TurnedClock} alone, unless their clients
     * have released them.
     */
    public void deleteKeys() {
        keys().forEach(key -> server.command("DEL", key));
    }

    /** {@return the keys that the tests have created and not removed, except for tokens of fenced locks, which stay} */
    public List<String> keys() {
        List<String> keys = LockKinds.withoutTokens(server.keys());
        keys.removeAll(keysBefore);
        return keys;
    }

    /** {@return what is in use within a client, lingering channels apart; empty if nothing is} */
    public static String residueOf(Holdfast client) {
        String residue = client.residue().replaceFirst("(, )?channels=\\d+", "");
        return residue.equals("{}") ? "" : residue;
    }

    /** Waits until the server has forgotten every channel, which takes a linger of a second or two. */
    public void awaitNoChannels() {
        Patience.await().untilAsserted(() -> {
            assertThat(first.residue()).isEmpty();
            assertThat(second.residue()).isEmpty();
            assertThat(server.channels()).isEmpty();
        });
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        keysBefore = server.keys();
    }

    @Override
    public void preConstructTestInstance(TestInstanceFactoryContext test, ExtensionContext context) {
        name = test.getTestClass().getSimpleName() + " " + UUID.randomUUID();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        try {
            Patience.await().untilAsserted(() -> {
                assertThat(residueOf(first)).as("the client").isEmpty();
                assertThat(residueOf(second)).as("its rival").isEmpty();
                assertThat(others).as("other clients").allSatisfy(client -> assertThat(residueOf(client))
                        .isEmpty());
                assertThat(keys()).as("keys").isEmpty();
            });
        } finally {
            others.forEach(Holdfast::close);
            others.clear();
            workers.forEach(Worker::close);
            workers.clear();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        first.close();
        second.close();
        server.close();
    }
}

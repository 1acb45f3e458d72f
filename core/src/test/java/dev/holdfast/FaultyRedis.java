package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.ProxiedConnection;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.RedisServerBuilder;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A server, a network in front of it that fails on demand, and clients of it. After each test every fault is removed;
 * then the server must have no key and no connection left, and the clients no residue.
 */
public final class FaultyRedis implements AfterEachCallback {
    /** How long to wait for something that should happen at once: machines are slow at times. */
    public static final Duration TIMEOUT = Duration.ofSeconds(25);

    /** The limit for "soon", for something that would otherwise take {@link #LONG}. */
    public static final Duration SOON = Duration.ofSeconds(12);

    /** The command timeout of hasty clients. */
    public static final Duration COMMAND_TIMEOUT = Duration.ofMillis(300);

    /** A watchdog timeout or lease that does not expire within a test. */
    public static final Duration LONG = Duration.ofMinutes(2);

    /** A watchdog timeout that a test can wait for, with time for several unanswered commands. */
    public static final Duration SHORT = Duration.ofMillis(1500);

    /** The first connection of a JVM loads the driver, which takes longer than these clients' short timeouts. */
    private static final AtomicBoolean COLD = new AtomicBoolean(true);

    private static final String PASSWORD = "secret";

    private final RedisServer server;
    private final FaultProxy proxy;
    private final RecordedEvents events = new RecordedEvents();
    private final List<Holdfast> clients = new ArrayList<>();

    public FaultyRedis() {
        this(RedisServer.builder());
    }

    public FaultyRedis(RedisServerBuilder server) {
        this.server = server.start();
        this.proxy = FaultProxy.inFrontOf(this.server);
        if (COLD.getAndSet(false)) {
            warmUp();
        }
    }

    private void warmUp() {
        try (Holdfast client = Holdfast.connect(server.uri());
                Lease lease = client.getLock("warm up").acquire()) {
            assertThat(lease.isValid()).isTrue();
        }
    }

    public RedisServer server() {
        return server;
    }

    /** {@return the keys of locks that are held} */
    public List<String> keys() {
        return LockKinds.withoutTokens(server.keys());
    }

    public FaultProxy proxy() {
        return proxy;
    }

    /** {@return the events that the clients behind the proxy published to their listener} */
    public RecordedEvents events() {
        return events;
    }

    /** {@return a client behind the proxy, with leases that do not expire within a test} */
    public Holdfast client() {
        return client(LONG);
    }

    /** {@return a client behind the proxy, with this watchdog timeout} */
    public Holdfast client(Duration watchdogTimeout) {
        return client(builder -> builder.watchdogTimeout(watchdogTimeout));
    }

    /** {@return a client behind the proxy, with its settings changed by {@code settings}} */
    public Holdfast client(UnaryOperator<HoldfastBuilder> settings) {
        return add(settings.apply(settings().redisUri(proxy.uri()).addListener(events))
                .build());
    }

    /**
     * {@return a client behind the proxy whose calls fail after {@link #COMMAND_TIMEOUT} without an answer; only for
     * tests in which Redis is silent, since a busy machine can be slower than that}
     */
    public Holdfast hastyClient() {
        return hastyClient(LONG);
    }

    /** {@return a hasty client with this watchdog timeout} */
    public Holdfast hastyClient(Duration watchdogTimeout) {
        return client(builder -> builder.watchdogTimeout(watchdogTimeout)
                .commandTimeout(COMMAND_TIMEOUT)
                .failoverTimeout(COMMAND_TIMEOUT));
    }

    /** {@return a client behind the proxy whose command timeout outlasts a reconnect, on any machine} */
    public Holdfast patientClient() {
        return client(builder -> builder.commandTimeout(LONG.dividedBy(4)));
    }

    /** {@return a client that is not affected by network faults, with leases that do not expire within a test} */
    public Holdfast bystander() {
        return add(settings().redisUri(server.uri()).build());
    }

    private static HoldfastBuilder settings() {
        return Holdfast.builder().watchdogTimeout(LONG).reconnectDelay(Duration.ofMillis(50));
    }

    private Holdfast add(Holdfast client) {
        clients.add(client);
        return client;
    }

    /**
     * Closes a client, which must end soon whatever the network does. The client may still have a record of state it
     * could not verify in Redis, but it has nothing in flight.
     */
    public void close(Holdfast client) {
        long start = System.nanoTime();
        client.close();
        assertThat(since(start)).isLessThan(SOON);
        closed(client);
    }

    /** Registers that the test has closed a client: it has nothing in flight. */
    public void closed(Holdfast client) {
        assertThat(client.residue()).doesNotContain("queues", "leases", "calls", "waits", "channels");
        clients.remove(client);
    }

    /** {@return a client of a user with exactly these rights} */
    public Holdfast restricted(List<String> rights) {
        return client(builder -> builder.redisUri(user(rights.toArray(String[]::new))));
    }

    /** {@return the address, behind the proxy, of a user with exactly these rights} */
    public RedisURI user(String... rights) {
        List<String> command =
                new ArrayList<>(List.of("ACL", "SETUSER", "app", "reset", "resetchannels", "on", ">" + PASSWORD));
        command.addAll(List.of(rights));
        server.command(command.toArray(String[]::new));
        return RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(proxy.port())
                .withAuthentication("app", PASSWORD)
                .build();
    }

    /** {@return the connection over which the one client behind the proxy sends its commands now} */
    public ProxiedConnection commandConnection() {
        return connectionWith("SCRIPT");
    }

    /** {@return the connection over which the one client behind the proxy receives release messages now} */
    public ProxiedConnection subscriberConnection() {
        return connectionWith("SUBSCRIBE");
    }

    private ProxiedConnection connectionWith(String command) {
        return patiently()
                .until(
                        () -> proxy.connections().stream()
                                .filter(connection -> connection.commands(command) > 0)
                                .toList(),
                        found -> found.size() == 1)
                .get(0);
    }

    /** {@return the value of {@code task}, which runs in a thread of its own} */
    public static <T extends @Nullable Object> CompletableFuture<T> elsewhere(Callable<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(task.call());
            } catch (Throwable t) {
                result.completeExceptionally(t);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    /** {@return the future's value; the exception it failed with is thrown unwrapped} */
    public static <T extends @Nullable Object> T get(Future<T> future) {
        return get(future, TIMEOUT);
    }

    public static <T extends @Nullable Object> T get(Future<T> future, Duration atMost) {
        try {
            return future.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new AssertionError(e.getCause());
        } catch (TimeoutException | InterruptedException e) {
            throw new AssertionError("no end within " + atMost, e);
        }
    }

    /** Waits for a state. */
    public static void eventually(Callable<Boolean> state) {
        patiently().until(state);
    }

    public static void eventually(ThrowingRunnable assertion) {
        patiently().untilAsserted(assertion);
    }

    /** Evaluates the condition in the thread of the test, which may be the owner that the condition is about. */
    private static ConditionFactory patiently() {
        return await().pollInSameThread().atMost(TIMEOUT).pollInterval(Duration.ofMillis(10));
    }

    /** Waits until the client has this many waiting callers and the server has confirmed its subscription. */
    public void awaitWaiting(Holdfast client, int waiters) {
        eventually(
                () -> client.stats().waiters() == waiters && !server.channels().isEmpty());
    }

    /**
     * Waits until the first waiter for a lock can be handed it: it has found the lock busy, has subscribed and has tried
     * again, and a handoff passes over a waiter whose attempt is in flight. Others join it without a command.
     *
     * @param before how many scripts the client had called when it acquired the lock
     */
    public void awaitReadyWaiter(Holdfast client, long before) {
        eventually(() -> proxy.commands("EVALSHA") == before + 2
                && !Inside.residue(client).contains("calls in flight"));
    }

    /** Asserts that a grant to a caller that had given up was released, and that this thread holds nothing. */
    public void assertOrphanCleaned(DistributedLock lock) {
        eventually(() -> events.orphansReleased() == 1);
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(keys()).isEmpty();
    }

    public static Duration since(long startNanos) {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        try {
            proxy.heal();
            if (!server.isRunning()) {
                server.restart();
            }
            server.resume();
            if (context.getExecutionException().isEmpty()) {
                eventually(this::nothingIsLeft);
            }
            clients.forEach(Holdfast::close);
            eventually(() -> proxy.connections().isEmpty());
        } finally {
            clients.forEach(Holdfast::close);
            proxy.close();
            server.close();
        }
    }

    /** A channel without waiters lingers for a while, on purpose. */
    private void nothingIsLeft() {
        for (Holdfast client : clients) {
            assertThat(client.residue()).matches("(\\{channels=\\d+})?");
        }
        assertThat(keys()).isEmpty();
    }
}

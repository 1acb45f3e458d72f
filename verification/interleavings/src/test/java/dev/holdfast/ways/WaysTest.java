package dev.holdfast.ways;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.testkit.Direction;
import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.Faults;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.junit.TestClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * How many types and methods of core, watchdog and pubsub one call enters, on a server that is alone. The figures are those
 * of the present code: they may fall, and are recorded anew then. A change that makes one grow needs a reason.
 *
 * <p>Each thread is counted by itself, and the counts are added up: so it does not matter how fast one is beside another.
 * For the same reason the replies are held until the caller is parked, and those of the two connections arrive one after the
 * other. The client has made such a call before.
 */
final class WaysTest {
    // On a JDK before 19, each call of a thread enters one method less.
    private static final Walk FREE_LOCK = new Walk(54, 407, 277, 269);
    private static final Walk RELEASE = new Walk(47, 325, 222, 201);
    private static final Walk CONTENDED_LOCK = new Walk(74, 1_004, 405, 684);
    private static final Walk RENEWAL = new Walk(42, 410, 232, 270);

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration WATCHDOG = Duration.ofMinutes(5);

    /** How often a walk is repeated in which a deadline fell due, such as that of a ping: the machine was busy then. */
    private static final int MOST_REPEATED = 20;

    @SuppressWarnings("NullAway.Init")
    private static Tracer tracer;

    @SuppressWarnings("NullAway.Init")
    private static RedisServer server;

    private final FaultProxy proxy = FaultProxy.inFrontOf(server);
    private final ExecutorService caller = Executors.newSingleThreadExecutor();
    private final Thread callerThread =
            CompletableFuture.supplyAsync(Thread::currentThread, caller).join();

    @BeforeAll
    static void start() {
        tracer = Tracer.install();
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
        tracer.close();
    }

    @AfterEach
    void close() {
        proxy.close();
        caller.shutdown();
    }

    @Test
    void freeLock_takesNoMore() {
        try (Holdfast client = builder().build()) {
            DistributedLock lock = client.getLock("free");
            expect("a free lock", FREE_LOCK, () -> {
                byCaller(lock::lock, lock::unlock);
                Map<Thread, List<Trace.Entry>> entered = walk(() -> inOneCommand(lock::lock));
                byCaller(lock::unlock);
                return entered;
            });
        }
    }

    @Test
    void release_takesNoMore() {
        try (Holdfast client = builder().build()) {
            DistributedLock lock = client.getLock("released");
            expect("a release", RELEASE, () -> {
                byCaller(lock::lock, lock::unlock, lock::lock);
                return walk(() -> inOneCommand(lock::unlock));
            });
        }
    }

    @Test
    void contendedLock_untilItIsInLine_takesNoMore() {
        try (Holdfast other = Holdfast.connect(server.uri())) {
            inLine(other);
            expect("a contended lock", CONTENDED_LOCK, () -> inLine(other));
        }
    }

    @Test
    void renewal_takesNoMore() {
        TestClock clock = new TestClock();
        try (Holdfast client = clock.applyTo(builder()).build()) {
            DistributedLock lock = client.getLock("renewed");
            byCaller(lock::lock);
            renewal(clock);
            Walk walk = print("a renewal", renewal(clock));
            byCaller(lock::unlock);
            assertThat(walk).as("a renewal").matches(RENEWAL::includes, "no more than " + RENEWAL);
        }
    }

    /** {@return what the next renewal enters} The deadline of the replies comes before: none is outstanding. */
    private Map<Thread, List<Trace.Entry>> renewal(TestClock clock) {
        Duration untilReplies = TIMEOUT.plusSeconds(1);
        eventually().until(this::areOthersIdle);
        Trace.begin();
        clock.advance(untilReplies);
        eventually().until(() -> Trace.count("ReplyTimeout.rest") == 1 && areOthersIdle());
        return walk(() -> {
            clock.advance(WATCHDOG.dividedBy(3).minus(untilReplies).plusSeconds(1));
            eventually().until(() -> Trace.count("Call.complete") == 1 && areOthersIdle());
        });
    }

    private HoldfastBuilder builder() {
        return Holdfast.builder()
                .redisUri(proxy.uri())
                .watchdogTimeout(WATCHDOG)
                .commandTimeout(TIMEOUT);
    }

    private void byCaller(Runnable... actions) {
        for (Runnable action : actions) {
            CompletableFuture.runAsync(action, caller).join();
        }
    }

    /** A call that sends one command. */
    private void inOneCommand(Runnable call) {
        CompletableFuture<Void> ended = sendsFirst(call);
        proxy.heal(Direction.REPLIES);
        ended.join();
        eventually().until(this::areOthersIdle);
    }

    /** The caller has sent its first command, and is parked. The reply is held. */
    private CompletableFuture<Void> sendsFirst(Runnable call) {
        proxy.blackHole(Direction.REPLIES);
        long before = scripts();
        CompletableFuture<Void> ended = CompletableFuture.runAsync(call, caller);
        eventually().until(() -> scripts() == before + 1 && isCallerParked() && areOthersIdle());
        return ended;
    }

    private long scripts() {
        return proxy.commands("EVALSHA");
    }

    /** {@return what a new client does until it is in the line for a lock of this other one} */
    private Map<Thread, List<Trace.Entry>> inLine(Holdfast other) {
        DistributedLock held = other.getLock("contended");
        held.lock();
        try (Holdfast client = builder().build()) {
            DistributedLock free = client.getLock("free");
            byCaller(free::lock, free::unlock);
            CompletableFuture<?>[] ended = new CompletableFuture<?>[1];
            DistributedLock lock = client.getLock("contended");
            Map<Thread, List<Trace.Entry>> entered = walk(() -> ended[0] = untilInLine(lock));
            held.unlock();
            ended[0].join();
            byCaller(lock::unlock);
            return entered;
        }
    }

    /** The first attempt finds the lock busy; when the subscriptions are confirmed, the second one gets a place in line. */
    private CompletableFuture<Void> untilInLine(DistributedLock lock) {
        long scripts = scripts();
        long subscribed = proxy.commands("SUBSCRIBE");
        CompletableFuture<Void> ended = sendsFirst(lock::lock);
        Faults commands = proxy.matching(connection -> connection.commands("EVALSHA") > 0);
        commands.heal(Direction.REPLIES);
        eventually().until(() -> proxy.commands("SUBSCRIBE") == subscribed + 3 && areOthersIdle());
        commands.blackHole(Direction.REPLIES);
        proxy.matching(connection -> connection.commands("SUBSCRIBE") > 0).heal(Direction.REPLIES);
        eventually().until(() -> scripts() == scripts + 2 && areOthersIdle());
        proxy.heal(Direction.REPLIES);
        eventually().until(() -> Trace.count("Call.complete") == 2 && areOthersIdle());
        return ended;
    }

    private static ConditionFactory eventually() {
        return await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(5));
    }

    private boolean isCallerParked() {
        return LockSupport.getBlocker(callerThread) != null;
    }

    /** {@return whether no thread but the caller's is in a method of the library} */
    private boolean areOthersIdle() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(entry -> entry.getKey() != callerThread && entry.getKey() != Thread.currentThread())
                .noneMatch(entry -> Tracer.isWithinLibrary(entry.getValue()));
    }

    /** {@return what these steps enter, but for what the calling thread does} */
    private Map<Thread, List<Trace.Entry>> walk(Runnable steps) {
        eventually().until(this::areOthersIdle);
        Trace.begin();
        steps.run();
        return Trace.end();
    }

    private static void expect(String call, Walk most, Supplier<Map<Thread, List<Trace.Entry>>> measured) {
        Map<Thread, List<Trace.Entry>> entered = measured.get();
        for (int repeated = 0; isDisturbed(entered) && repeated < MOST_REPEATED; repeated++) {
            entered = measured.get();
        }
        assertThat(print(call, entered)).as(call).matches(most::includes, "no more than " + most);
    }

    private static boolean isDisturbed(Map<Thread, List<Trace.Entry>> entered) {
        return entered.keySet().stream().anyMatch(thread -> thread.getName().startsWith("holdfast-timer"));
    }

    /** With {@code -Dways.details} it prints each method. */
    private static Walk print(String call, Map<Thread, List<Trace.Entry>> entered) {
        Walk walk = Walk.of(entered);
        System.out.println(call + ": " + walk);
        if (Boolean.getBoolean("ways.details")) {
            entered.forEach((thread, entries) -> {
                System.out.println("  " + thread.getName());
                entries.forEach(entry -> System.out.println("    " + entry.file() + "  " + entry.method()));
            });
        }
        return walk;
    }
}

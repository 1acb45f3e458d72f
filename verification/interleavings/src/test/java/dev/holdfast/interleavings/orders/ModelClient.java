package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.awaitWork;
import static dev.holdfast.interleavings.Orders.point;

import dev.holdfast.LeakTracking;
import dev.holdfast.LeaseLostException;
import dev.holdfast.interleavings.Race;
import dev.holdfast.interleavings.Standin;
import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.acquire.FutureAcquisition;
import dev.holdfast.internal.client.Client;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.kind.Enlists;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.Publishing;
import dev.holdfast.internal.node.RedisHome;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.ModelLink;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.session.Settings;
import dev.holdfast.internal.topology.Topology;
import dev.holdfast.internal.wait.WaitQueue;
import dev.holdfast.pubsub.AnsweringWire;
import dev.holdfast.pubsub.Subscriptions;
import dev.holdfast.testkit.ManualTimer;
import dev.holdfast.watchdog.Deadlines;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A client with four locks: two of a {@link ModelRedis} each, {@link ModelPermits}, and a {@link ModelReadWrite}. Its clock
 * stands still unless a test moves it, so a wait for the end of a lease never ends by itself.
 */
final class ModelClient {
    /** The limit of the permits. */
    static final int PERMITS = 2;

    static final Duration WATCHDOG = Duration.ofSeconds(30);
    static final Duration RENEWAL = WATCHDOG.dividedBy(3);

    /** Longer than a renewal may be deferred, shorter than a reply may take. */
    static final Duration PAUSE = Duration.ofMillis(600);

    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration LINGER = Duration.ofSeconds(1);

    final ManualTimer clock;
    final AnsweringWire wire = new AnsweringWire();
    final ModelRedis redis;
    final ModelRedis otherRedis = new ModelRedis(() -> wire.publish(otherKey().channel()));
    final ModelPermits permits;
    final ModelReadWrite readWrite = new ModelReadWrite(wire, this::micros);
    final ModelConditions conditions;
    private final LockKey key;
    private final LockKey otherKey = new LockKey(otherRedis, "orders:43", "");
    private final LockKey fencedKey;
    private final LockKey permitsKey;
    private final Queue<Runnable> paused = new ArrayDeque<>();
    private final Deadlines deadlines;
    final Client core;
    final ModelLink server;
    private final @Nullable ModelShard shard;

    private final Lock io = new ReentrantLock();

    // Guarded by this.
    private int holders;
    private int mostHolders;

    /** A client whose threads can be interrupted before each callback; its clock must not be moved at that time. */
    ModelClient() {
        this(task -> {
            point("a callback");
            task.run();
        });
    }

    ModelClient(Executor callbacks) {
        this(callbacks, null, false);
    }

    /** {@return a client of a master that a replica can replace, whose callbacks are not interrupted} */
    static ModelClient withReplica() {
        return new ModelClient(Runnable::run, null, true);
    }

    /** {@return a client that joins the line of clients for its first lock} */
    static ModelClient inLine() {
        return new ModelClient(
                task -> {
                    point("a callback");
                    task.run();
                },
                Enlists.Unit.CLIENT,
                false);
    }

    /** {@return the same, whose callbacks are not interrupted} */
    static ModelClient inLineByItself() {
        return new ModelClient(Runnable::run, Enlists.Unit.CLIENT, false);
    }

    /** {@return a client whose first lock is fair} */
    static ModelClient fair() {
        return new ModelClient(
                task -> {
                    point("a callback");
                    task.run();
                },
                Enlists.Unit.OWNER,
                false);
    }

    /** {@return the same, whose callbacks are not interrupted} */
    static ModelClient fairByItself() {
        return new ModelClient(Runnable::run, Enlists.Unit.OWNER, false);
    }

    /** {@return one of the clients of a semaphore, whose callbacks are not interrupted} */
    static ModelClient inLineFor(ModelPermitsLine permits, ModelChannels channels, ManualTimer clock) {
        ModelClient client = new ModelClient(Runnable::run, null, false, permits, clock);
        channels.add(client.wire);
        return client;
    }

    /** @param unit whose the places in line are; null if the client joins no line for its first lock */
    private ModelClient(Executor callbacks, Enlists.@Nullable Unit unit, boolean hasReplica) {
        this(callbacks, unit, hasReplica, null, new ManualTimer());
    }

    /** @param shared the permits of several clients; null for a model of its own */
    private ModelClient(
            Executor callbacks,
            Enlists.@Nullable Unit unit,
            boolean hasReplica,
            @Nullable ModelPermits shared,
            ManualTimer clock) {
        this.clock = clock;
        this.deadlines = new Deadlines(clock, clock::nanoTime, Deadlines.DEFAULT_TICK);
        permits = shared != null
                ? shared
                : new ModelPermits(this::micros, () -> wire.publish(permitsKey().channel()));
        permitsKey = new LockKey(permits, "orders:44", "", PERMITS);
        Runnable publishing = () -> wire.publish(key().channel());
        redis = unit != null
                ? new ModelLine(
                        publishing,
                        message -> wire.publish(Enlists.lineChannel(key()), message),
                        wire,
                        () -> ((Enlists) key().kind())
                                .grantChannel(key(), core().session().owners().clientId()),
                        this::micros,
                        unit)
                : new ModelRedis(publishing);
        conditions = new ModelConditions(redis, wire);
        key = new LockKey(redis, "orders:42", "");
        fencedKey = new LockKey(new ModelFenced(redis), "orders:42", "");
        Settings settings = new Settings(
                List.of(RedisURI.create("redis://model")),
                null,
                null,
                WATCHDOG,
                COMMAND_TIMEOUT,
                COMMAND_TIMEOUT,
                false,
                Duration.ofMillis(500),
                null,
                0,
                Duration.ZERO,
                Duration.ZERO,
                null,
                true,
                false,
                LeakTracking.OFF,
                callbacks,
                null,
                "",
                null,
                List.of());
        Session session = new Session(
                settings, deadlines, clock::wallMillis, Standin.of(ScheduledExecutorService.class, this::pause));
        Subscriptions channels = wire.subscriptions(clock, LINGER);
        shard = hasReplica ? new ModelShard(this::run, redis, session, deadlines, COMMAND_TIMEOUT, channels) : null;
        server = shard == null ? new ModelLink(this::run, deadlines, COMMAND_TIMEOUT) : shard.master();
        Topology topology = shard == null ? single(session, channels) : shard;
        core = new Client(session, topology, () -> false, Duration.ZERO, null);
        redis.watch(core.holds().locks());
        otherRedis.watch(core.holds().locks());
        core.start();
        quiet();
        require(topology.isConnected(), "the client is connected");
    }

    private Topology single(Session session, Subscriptions channels) {
        RedisHome home = new RedisHome("model", session, server.link(), channels, () -> Publishing.SINGLE);
        return new OneNode(home, server);
    }

    /** {@return the servers of a client with a replica} */
    ModelShard shard() {
        return Objects.requireNonNull(shard, "there is no replica");
    }

    /** {@return the server's time} */
    private long micros() {
        return TimeUnit.NANOSECONDS.toMicros(clock.nanoTime());
    }

    LockKey key() {
        return key;
    }

    private Client core() {
        return core;
    }

    LockKey otherKey() {
        return otherKey;
    }

    /** {@return the same lock as {@link #key}, as a kind whose handoffs are awaited} */
    LockKey fencedKey() {
        return fencedKey;
    }

    LockKey permitsKey() {
        return permitsKey;
    }

    /** Those that are no short pauses end when the clock says so. */
    private synchronized @Nullable Object pause(String method, @Nullable Object[] arguments) {
        Runnable task = (Runnable) Objects.requireNonNull(arguments[0]);
        long delay = (Long) Objects.requireNonNull(arguments[1]);
        TimeUnit unit = (TimeUnit) Objects.requireNonNull(arguments[2]);
        if (unit.toNanos(delay) < COMMAND_TIMEOUT.toNanos()) {
            paused.add(task);
        } else {
            clock.newTimeout(timeout -> task.run(), delay, unit);
        }
        return null;
    }

    private synchronized @Nullable Runnable nextPaused() {
        return paused.poll();
    }

    private @Nullable List<Object> run(Call command) {
        for (ModelLock lock : List.of(redis, otherRedis, permits)) {
            long[] answer = lock.run(command);
            if (answer != null) {
                return Arrays.stream(answer).<Object>mapToObj(number -> number).toList();
            }
        }
        List<Object> ofCondition = conditions.run(command);
        return ofCondition == null ? readWrite.run(command) : ofCondition;
    }

    // --- Background work.

    /** Runs as the I/O thread of the commands. */
    void serve() {
        while (awaitWork(this::hasCommands)) {
            turnCommands();
        }
    }

    /** Runs as the I/O thread of the subscriptions. */
    void receive() {
        while (awaitWork(wire::hasWork)) {
            wire.turn();
        }
    }

    /** Runs as a single I/O thread for both, which prefers the commands. */
    void serveAndReceive() {
        while (awaitWork(this::hasWork)) {
            turn();
        }
    }

    /** The same, and ends the short pauses when there is nothing else to do. */
    void serveReceiveAndGoOn() {
        while (awaitWork(() -> hasWork() || isPaused())) {
            if (hasWork()) {
                turn();
            } else {
                endPause();
            }
        }
    }

    private synchronized boolean isPaused() {
        return !paused.isEmpty();
    }

    private boolean endPause() {
        Runnable next = nextPaused();
        if (next != null) {
            next.run();
        }
        return next != null;
    }

    boolean hasWork() {
        return hasCommands() || wire.hasWork();
    }

    private boolean hasCommands() {
        return server.hasWork() || (shard != null && shard.replica().hasWork());
    }

    private void turnCommands() {
        if (server.hasWork() || shard == null) {
            server.turn();
        } else {
            shard.replica().turn();
        }
    }

    void turn() {
        if (hasCommands()) {
            turnCommands();
        } else {
            wire.turn();
        }
    }

    /** For a real thread: runs as the I/O thread for both while there is work and no other thread does so. */
    private void serveInTurn() {
        while (hasWork() && io.tryLock()) {
            try {
                turn();
            } finally {
                io.unlock();
            }
        }
    }

    /** {@return a race of two real threads, each of which acts as the I/O thread after its part} */
    Race race(Runnable one, Runnable other, Runnable check) {
        return new Race(
                () -> {
                    one.run();
                    serveInTurn();
                },
                () -> {
                    other.run();
                    serveInTurn();
                },
                check);
    }

    /**
     * {@return a race of two real threads: after its part, the first acts as the I/O thread of the subscriptions, and the
     * other as that of the commands}
     */
    Race raceOfConnections(Runnable one, Runnable other, Runnable check) {
        return new Race(
                () -> {
                    one.run();
                    receive();
                },
                () -> {
                    other.run();
                    serve();
                },
                check);
    }

    /** For a real thread: detects, as the I/O thread, that the connection is lost. */
    void cutInTurn() {
        io.lock();
        try {
            server.cut();
        } finally {
            io.unlock();
        }
    }

    /** Processes all replies and messages, and ends the short pauses; no lease expires, and nothing is renewed. */
    void quiet() {
        while (hasWork()) {
            serve();
            receive();
        }
        if (endPause()) {
            quiet();
        }
    }

    /** Lets time pass, and processes all replies. */
    void pass(Duration time) {
        for (Duration left = time; !left.isNegative() && !left.isZero(); left = left.minus(LINGER)) {
            clock.advance(LINGER);
            quiet();
        }
    }

    /** Advances the clock so that the renewal of all holds falls due within the next {@link #PAUSE}. */
    void almostRenewed() {
        quiet();
        clock.advance(RENEWAL.minus(PAUSE.dividedBy(2)));
        quiet();
    }

    /** Requires that, without further requests, nothing is left after a while, in the client and in Redis. */
    void requireNothingLeft() {
        quiet();
        require(redis.isFree() && otherRedis.isFree() && permits.isFree() && readWrite.isFree(), "the locks are free");
        pass(LINGER.multipliedBy(4));
        require(core.residue(Map.of()).isEmpty(), "nothing is left, was " + core.residue(Map.of()));
    }

    synchronized void requireOneAtATime() {
        require(!redis.wasPassedOver(), "no owner handed off what another was known to have");
        require(mostHolders <= 1, "one owner at a time had the lock, was " + mostHolders);
    }

    private synchronized void holderAdded() {
        holders++;
        mostHolders = Math.max(mostHolders, holders);
    }

    private synchronized void holderRemoved() {
        holders--;
    }

    /** The locks have moved to another node, which is the same one in this model. */
    void move() {
        core.acquisitions().queues().moved(lock -> true);
    }

    /** The client begins to close: it grants re-entries only, and its waiters fail. */
    void stopGranting() {
        core.session().admission().beginGrace();
        core.acquisitions().queues().close();
        core.conditions().stopWaiting();
    }

    // --- Owners.

    /** One owner, which requests the lock without a deadline, or with one. */
    final class Owner {
        private final LockKey wanted;
        private final long id;
        private final int amount;
        private CompletableFuture<Boolean> future = new CompletableFuture<>();
        private CompletableFuture<?> released = new CompletableFuture<Boolean>();

        private Owner(LockKey wanted, long id, int amount) {
            this.wanted = wanted;
            this.id = id;
            this.amount = amount;
        }

        /** @param amount how much it requests */
        Owner(LockKey wanted, int amount) {
            this(wanted, core.session().owners().newOwnerId(), amount);
        }

        Owner(LockKey wanted) {
            this(wanted, 1);
        }

        Owner() {
            this(key);
        }

        /** {@return another call of the same owner} */
        Owner again() {
            return again(wanted);
        }

        /** {@return a call of the same owner for this lock} */
        Owner again(LockKey other) {
            return new Owner(other, id, amount);
        }

        long id() {
            return id;
        }

        void acquire() {
            acquire(AcquireRequest.FOR_EVER, core.holds().watchedLease());
        }

        /** Acquires it with an explicit lease. */
        void acquire(Duration lease) {
            acquire(AcquireRequest.FOR_EVER, LeaseRequest.explicit(lease));
        }

        void tryAcquire(Duration wait) {
            acquire(wait.toNanos(), core.holds().watchedLease());
        }

        void tryAcquire(Duration wait, Duration lease) {
            acquire(wait.toNanos(), LeaseRequest.explicit(lease));
        }

        @SuppressWarnings("FutureReturnValueIgnored") // counting does not fail
        private void acquire(long waitNanos, LeaseRequest lease) {
            FutureAcquisition<Boolean> acquisition = new FutureAcquisition<>(
                    core.acquisitions(),
                    new AcquireRequest(wanted, id, Ownership.OWNER_ID, lease, waitNanos, waitNanos > 0, amount),
                    hold -> true,
                    () -> false);
            future = acquisition.begin();
            future.thenAccept(granted -> {
                if (granted && wanted.equals(key)) {
                    holderAdded();
                }
            });
        }

        /** Has the thread that grants it the lock run this; to be called before that. */
        @SuppressWarnings(
                "FutureReturnValueIgnored") // a failure of the action is one of the scenario, which does not go on
        void onGrant(Runnable action) {
            future.thenRun(action);
        }

        /** Gives up, unless the call has completed. */
        void leave() {
            future.cancel(true);
        }

        boolean holds() {
            return future.isDone() && !future.isCompletedExceptionally() && future.join();
        }

        boolean isCompleted() {
            return future.isDone();
        }

        boolean isHeld() {
            return core.holds().locks().held(wanted, id) != null;
        }

        Hold hold() {
            return Objects.requireNonNull(core.holds().locks().held(wanted, id), "it holds the lock");
        }

        /** {@return how long its hold is valid without another command} */
        Duration remaining() {
            return Duration.ofNanos(hold().lease().remainingNanos());
        }

        /** {@return whether the client knows that no other owner can have the lock while this one has it} */
        boolean excludesOthers() {
            WaitQueue queue = (WaitQueue) core.holds().locks().successors(wanted);
            return hold().lane().local().isHeld()
                    || (queue != null && queue.cohort().isHeldByAnother(0));
        }

        /** {@return the number that the script has drawn with its hold; 0 if none} */
        long drawn() {
            return hold().drawn();
        }

        void release() {
            if (wanted.equals(key)) {
                holderRemoved();
            }
            released = core.holds().release(wanted, id);
        }

        void releaseIfHeld() {
            if (holds()) {
                release();
                quiet();
            }
        }

        void requireReleased() {
            require(hasReleased(), "the release succeeded");
        }

        boolean hasReleased() {
            return released.isDone() && !released.isCompletedExceptionally();
        }

        boolean isReleased() {
            return released.isDone();
        }

        /** {@return whether the release failed because the lease was lost} */
        boolean lostIt() {
            return released.isDone()
                    && released.handle((done, why) -> why instanceof LeaseLostException)
                            .join();
        }
    }
}

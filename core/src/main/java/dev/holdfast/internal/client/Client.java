package dev.holdfast.internal.client;

import dev.holdfast.HoldfastStats;
import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.acquire.Acquisition;
import dev.holdfast.internal.acquire.Acquisitions;
import dev.holdfast.internal.acquire.Attempt;
import dev.holdfast.internal.acquire.BlockingAcquisition;
import dev.holdfast.internal.condition.Conditions;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.HoldRenewals;
import dev.holdfast.internal.hold.Holds;
import dev.holdfast.internal.hold.OwnerLane;
import dev.holdfast.internal.kind.SynchronizerKey;
import dev.holdfast.internal.latch.Latches;
import dev.holdfast.internal.node.RedisHome;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.RedisLink;
import dev.holdfast.internal.session.Blocking;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.topology.Topology;
import dev.holdfast.internal.wait.WaitQueue;
import dev.holdfast.internal.wait.WaitQueues;
import dev.holdfast.watchdog.TimerThreads;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client, put together: its session, its Redis nodes, and on these the waiters, the holds and the acquisitions. What it does
 * itself is to begin and to end; the algorithm is in the types it puts together. An {@link Acquisition} is what a caller
 * waits for, an {@link Attempt} is one try of it, a {@link WaitQueue} is where it waits, an {@link OwnerLane} keeps one
 * owner's commands in order.
 */
public final class Client {
    private static final Logger log = LoggerFactory.getLogger(Client.class);

    private final Session session;
    private final Topology topology;
    private final BooleanSupplier onIoThread;
    private final WaitQueues queues;
    private final Holds holds;
    private final Acquisitions acquisitions;
    private final Latches latches;
    private final Conditions conditions;

    /**
     * Puts a client together.
     *
     * @param onIoThread whether the calling thread reads its replies or messages
     * @param maxHold the longest time that a lease is renewed; null for no limit
     */
    public Client(
            Session session,
            Topology topology,
            BooleanSupplier onIoThread,
            Duration driftAllowance,
            @Nullable Duration maxHold) {
        this.session = session;
        this.topology = topology;
        this.onIoThread = onIoThread;
        this.queues = new WaitQueues(session, topology);
        this.holds = new Holds(
                session, topology, queues::contended, HoldRenewals.keeper(session, topology, driftAllowance, maxHold));
        this.acquisitions = new Acquisitions(session, holds.locks(), queues);
        this.latches = new Latches(session, topology);
        this.conditions = new Conditions(session, topology, holds, acquisitions);
    }

    /** {@return completes when the client can be used} */
    public CompletionStage<?> start() {
        return topology.start(new Changes());
    }

    public Session session() {
        return session;
    }

    public Topology topology() {
        return topology;
    }

    public Holds holds() {
        return holds;
    }

    public Acquisitions acquisitions() {
        return acquisitions;
    }

    public Latches latches() {
        return latches;
    }

    public Conditions conditions() {
        return conditions;
    }

    // --- The connections.

    /** The command connection of a node begins or ends. */
    private final class NodeEvents implements RedisLink.Listener {
        private final RedisHome home;

        NodeEvents(RedisHome home) {
            this.home = home;
        }

        @Override
        public void opening(Consumer<Call> first) {
            queues.repairChains(home, first);
        }

        @Override
        public void up() {
            home.connectionWait().over();
            holds.verify(home);
            home.up();
        }

        @Override
        public void down(Throwable why) {
            log.debug("The connection to Redis is gone", why);
            home.down(why);
        }
    }

    private final class Changes implements Topology.Events {
        @Override
        public RedisLink.Listener of(RedisHome node) {
            return new NodeEvents(node);
        }

        @Override
        public void moved(Predicate<SynchronizerKey> locks) {
            queues.moved(locks::test);
            holds.moved(locks::test);
            latches.moved(locks);
            conditions.moved(locks);
        }

        @Override
        public boolean holdsAny() {
            return holds.size() > 0;
        }
    }

    /** Refuses to block an I/O thread, which reads the reply, and a timer's thread, on which all time would stop. */
    public void refuseOnIoThread() {
        if (TimerThreads.isCurrent()) {
            throw new IllegalStateException("a blocking call on the client's timer thread "
                    + Thread.currentThread().getName()
                    + " would stop renewals and the ends of waits; use the async methods there");
        }
        refuseToCloseOnIoThread();
    }

    /** Refuses to block an I/O thread. The thread of the timer may close the client, whose time ends by that. */
    public void refuseToCloseOnIoThread() {
        if (onIoThread.getAsBoolean()) {
            throw new IllegalStateException("a blocking call on the driver's I/O thread "
                    + Thread.currentThread().getName() + " would wait for itself; use the async methods there");
        }
    }

    // --- Calls that block. Each is given the function that makes what its caller receives.

    /** Acquires something, and waits for it for as long as it takes. */
    public <T> T await(AcquireRequest wanted, Function<Hold, T> onGrant) {
        return granted(begin(wanted).await(onGrant));
    }

    /** {@return null if what is requested stayed busy} */
    public <T> @Nullable T tryOnce(AcquireRequest wanted, Function<Hold, T> onGrant) {
        return begin(wanted).await(onGrant);
    }

    /** Acquires something, and waits for it for as long as it takes, or until the thread is interrupted. */
    public <T> T awaitInterruptibly(AcquireRequest wanted, Function<Hold, T> onGrant) throws InterruptedException {
        return granted(tryInterruptibly(wanted, onGrant));
    }

    /** {@return null if what is requested stayed busy for as long as the request waits} */
    public <T> @Nullable T tryInterruptibly(AcquireRequest wanted, Function<Hold, T> onGrant)
            throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException(
                    "interrupted before waiting for " + wanted.lock().subject());
        }
        return begin(wanted).awaitInterruptibly(onGrant);
    }

    private BlockingAcquisition begin(AcquireRequest wanted) {
        refuseOnIoThread();
        return acquisitions.begin(new BlockingAcquisition(acquisitions, wanted));
    }

    private static <T> T granted(@Nullable T received) {
        if (received == null) {
            throw AcquireRequest.neverRefused();
        }
        return received;
    }

    // --- Statistics.

    public HoldfastStats stats() {
        return session.events()
                .stats(
                        holds.size() - acquisitions.readers().groups(),
                        queues.waiters() + acquisitions.readers().waiters() + latches.waiters() + conditions.waiters());
    }

    /**
     * {@return the resources in use, with their counts; empty if all counts are zero}
     *
     * @param ofViews what the views of the locks use
     */
    public String residue(Map<String, Integer> ofViews) {
        Map<String, Integer> parts = new LinkedHashMap<>(ofViews);
        parts.put("locks", holds.locks().size());
        parts.put("lanes", holds.locks().lanes().size());
        parts.put("queues", queues.size());
        parts.put("latches", latches.size());
        parts.put("conditions", conditions.size());
        parts.put("read sides", acquisitions.readers().size());
        parts.put("leases", holds.size());
        parts.put("calls in flight", sum(RedisHome::callsInFlight));
        parts.put("waits for the link", sum(home -> home.connectionWait().size()));
        parts.put("lost holds", holds.lost());
        parts.put("channels", sum(home -> home.channels().channels()));
        parts.put("timeouts", Math.max(0, session.deadlines().pending() - sum(RedisHome::pendingTimeouts)));
        parts.values().removeIf(count -> count == 0);
        return parts.isEmpty() ? "" : parts.toString();
    }

    private int sum(ToIntFunction<RedisHome> counts) {
        return topology.homes().stream().mapToInt(counts).sum();
    }

    // --- The end.

    /** Grants only re-entries from now on, and fails the waiters. */
    void stopGranting() {
        session.admission().beginGrace();
        queues.close();
        latches.stopWaiting();
        conditions.stopWaiting();
    }

    /** {@return completes when nothing is held, and the changes of latches that were in progress then have ended} */
    CompletableFuture<?> whenIdle() {
        return holds.locks()
                .whenNothingIsHeld()
                .thenCompose(
                        free -> CompletableFuture.allOf(latches.unanswered().toArray(CompletableFuture[]::new)));
    }

    /**
     * Ends renewal, reports the remaining holds as lost, and awaits commands in progress for the command timeout at
     * most.
     */
    void close() {
        stopGranting();
        session.admission().close();
        CompletableFuture<?>[] ends = Stream.of(
                        holds.close().stream(), conditions.close(), queues.unansweredHandoffs(), latches.unanswered())
                .flatMap(each -> each)
                .toArray(CompletableFuture[]::new);
        Blocking.atMost(CompletableFuture.allOf(ends), Duration.ofNanos(session.commandTimeoutNanos()));
        topology.homes().forEach(RedisHome::endEvents);
    }

    /** The connections are closed: what still waits for a reply is given up. */
    void abandonHandoffs() {
        queues.abandonHandoffs();
    }
}

package dev.holdfast.internal.latch;

import dev.holdfast.internal.kind.SynchronizerKey;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.node.Homes;
import dev.holdfast.internal.node.Query;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.Outage;
import dev.holdfast.internal.session.Admission;
import dev.holdfast.internal.session.Session;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The latches that a client uses: for each, a {@link LatchLane} while it has commands about it, and a {@link LatchQueue}
 * while callers await it.
 */
public final class Latches {
    private static final Logger log = LoggerFactory.getLogger(Latches.class);

    private final Session session;
    private final Homes homes;
    private final ConcurrentMap<LatchKey, LatchLane> lanes = new ConcurrentHashMap<>();
    private final ConcurrentMap<LatchKey, LatchQueue> queues = new ConcurrentHashMap<>();
    private final RecentCountdowns recent;
    private final AtomicBoolean unpublished = new AtomicBoolean();

    public Latches(Session session, Homes homes) {
        this.session = session;
        this.homes = homes;
        this.recent = new RecentCountdowns(session);
    }

    Session session() {
        return session;
    }

    Homes homes() {
        return homes;
    }

    RecentCountdowns recent() {
        return recent;
    }

    // --- Commands.

    /**
     * Gives the latch a count.
     *
     * @param lifetimeMillis 0 for one that each use renews
     * @return whether it had none
     * @throws IllegalStateException if the client is closed
     */
    public CompletableFuture<Boolean> trySetCount(LatchKey latch, long count, long lifetimeMillis) {
        session.admission().requireNotClosed();
        return submit(latch, new LatchCommand(this, latch) {
                    @Override
                    Call own(long number) {
                        return LatchScripts.set(latch, clientId(), number, count, lifetimeMillis, this);
                    }
                })
                .thenApply(result -> result == 1);
    }

    /**
     * Counts the latch down.
     *
     * @return completes when that is done
     * @throws IllegalStateException if the client is closed
     */
    public CompletableFuture<?> countDown(LatchKey latch, long by) {
        session.admission().requireNotClosed();
        return submit(latch, new CountdownCommand(this, latch, by));
    }

    /**
     * Deletes the count of the latch.
     *
     * @return whether it had one
     * @throws IllegalStateException if the client is closed
     */
    public CompletableFuture<Boolean> delete(LatchKey latch) {
        session.admission().requireNotClosed();
        return submit(latch, new LatchCommand(this, latch) {
                    @Override
                    Call own(long number) {
                        return LatchScripts.delete(latch, clientId(), number, this);
                    }
                })
                .thenApply(result -> result == 1);
    }

    private CompletableFuture<Long> submit(LatchKey latch, LatchCommand command) {
        while (true) {
            CompletableFuture<Long> answer = lanes.computeIfAbsent(latch, key -> new LatchLane(this, key))
                    .submit(command);
            if (answer != null) {
                return answer;
            }
        }
    }

    void remove(LatchLane lane) {
        lanes.remove(lane.latch(), lane);
    }

    /** Redis refused to publish a change of a latch. */
    void unpublished(LatchKey latch, String refusal, Home by) {
        if (unpublished.compareAndSet(false, true)) {
            log.warn(
                    "Latch '{}' was changed, but Redis refused to publish that; clients that await it notice it within a"
                            + " minute: {}",
                    latch,
                    session.exceptions().announcementRefused(latch, refusal, by.publishing()));
        }
    }

    // --- Looks and waits.

    /**
     * {@return the present state of the latch} A call without a wait: it fails after a command timeout, and at once if there has been
     * no connection for that long.
     *
     * @throws IllegalStateException if the client is closed
     */
    public CompletableFuture<LatchState> look(LatchKey latch) {
        session.admission().requireNotClosed();
        Outage outage = homes.of(latch).outage();
        if (outage != null) {
            return CompletableFuture.failedFuture(session.exceptions().notConnected(latch, outage));
        }
        Query<LatchState> query = new Look(this, latch, session.commandTimeoutNanos());
        query.beginLimited();
        return query.answer();
    }

    /**
     * Begins to wait until the latch is open.
     *
     * @param waitNanos at most, or {@link LatchWaiter#FOR_EVER}
     * @throws IllegalStateException if the client is closed, or is being closed
     */
    public LatchWaiter await(LatchKey latch, long waitNanos) {
        if (session.admission().isClosing()) {
            throw Admission.clientIsClosed();
        }
        LatchQueue queue;
        LatchWaiter waiter;
        do {
            queue = queues.computeIfAbsent(latch, key -> new LatchQueue(this, key));
            waiter = new LatchWaiter(queue, waitNanos);
        } while (!queue.join(waiter));
        if (session.admission().isClosing()) {
            queue.close();
        }
        return waiter;
    }

    void remove(LatchQueue queue) {
        queues.remove(queue.latch(), queue);
    }

    // --- The client.

    /** These have moved to other nodes, which may lack the last countdowns. */
    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for it
    public void moved(Predicate<SynchronizerKey> moved) {
        recent.latches(moved).forEach(latch -> submit(latch, new SettleCommand(this, latch)));
        queues.values().stream().filter(queue -> moved.test(queue.latch())).forEach(LatchQueue::moved);
    }

    /** Fails all that wait for an opening. Commands go on. */
    public void stopWaiting() {
        queues.values().forEach(LatchQueue::close);
    }

    /** {@return what completes when the commands in progress have ended} */
    public Stream<CompletableFuture<?>> unanswered() {
        return lanes.values().stream().map(LatchLane::whenEmpty);
    }

    /** {@return the number of calls that have found a count, and wait for the opening} */
    public long waiters() {
        return queues.values().stream().mapToLong(LatchQueue::size).sum();
    }

    /** {@return the number of latches that are awaited, or have commands in progress} */
    public int size() {
        return queues.size() + lanes.size();
    }
}

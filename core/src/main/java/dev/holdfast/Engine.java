package dev.holdfast;

import dev.holdfast.pubsub.Subscriptions;
import dev.holdfast.redis.Call;
import dev.holdfast.redis.RedisLink;
import dev.holdfast.watchdog.Deadlines;
import dev.holdfast.watchdog.KeptLease;
import dev.holdfast.watchdog.LeaseKeeper;
import dev.holdfast.watchdog.LeaseTerms;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shared parts of a client: connects the lanes, the queues, the keeper and the link. The algorithm itself is in the
 * types that run it: an {@link Acquisition} is what a caller waits for, an {@link Attempt} is one try of it, a
 * {@link WaitQueue} is where it waits, an {@link OwnerLane} keeps one owner's commands in order.
 */
final class Engine implements RedisLink.Listener {
    private static final Logger log = LoggerFactory.getLogger(Engine.class);

    private final Deadlines deadlines;
    private final ScheduledExecutorService pauses;
    private final OwnerIds owners;
    private final Callbacks callbacks;
    private final EventPublisher notices;
    private final LockExceptions failures;
    private final RedisErrors refusals;
    private final Releases releases;
    private final LeaseRequest watchedLease;
    private final long commandTimeoutNanos;
    private final long longestListenNanos;
    private final boolean interruptsOnLoss;
    private final LeakTracking leakTracking;
    private final LeaseKeeper<Hold> keeper;
    private final Lanes lanes = new Lanes(this);
    private final WaitQueues queues = new WaitQueues(this);
    private final LostHolds lostHolds = new LostHolds();
    private final Handoffs handoffs = new Handoffs(this);
    private final ConnectionWait outage;
    private final ConnectionWatch commandsWatch;
    private final ConnectionWatch subscriptionsWatch;
    private final TenureSequence tenures = new TenureSequence(System::currentTimeMillis);

    /** Written once, by {@link #connect}, before anything else is called. */
    private @Nullable RedisLink link;

    private @Nullable Subscriptions channels;

    /** Only re-entries are granted from now on. */
    private volatile boolean closing;

    /** Nothing is granted any more, not even a re-entry. */
    private volatile boolean closed;

    /** @param pauses schedules waits that are shorter than a tick of the deadlines */
    Engine(Settings settings, Deadlines deadlines, ScheduledExecutorService pauses) {
        this.deadlines = deadlines;
        this.pauses = pauses;
        this.owners = new OwnerIds(settings.label());
        this.callbacks = new Callbacks(settings.callbackExecutor(), deadlines);
        this.notices = new EventPublisher(settings.listeners(), callbacks, owners);
        this.failures = new LockExceptions(owners, settings.commandTimeout());
        this.refusals = new RedisErrors(this);
        this.releases = new Releases(settings.awaitReleases());
        this.watchedLease = LeaseRequest.watched(settings.watchdogTimeout());
        this.commandTimeoutNanos = settings.commandTimeout().toNanos();
        this.longestListenNanos = settings.watchdogTimeout().toNanos();
        this.interruptsOnLoss = settings.interruptOnLoss();
        this.leakTracking = settings.leakTracking();
        LeaseTerms terms = LeaseTerms.of(settings.watchdogTimeout()).withDriftAllowance(settings.driftAllowance());
        Duration maxHold = settings.maxHold();
        this.keeper = new LeaseKeeper<>(
                deadlines,
                System::currentTimeMillis,
                maxHold == null ? terms : terms.withMaxHold(maxHold),
                new HoldRenewals(this, watchedLease.millis()));
        this.outage = new ConnectionWait(deadlines, () -> link().isUp());
        this.commandsWatch = new ConnectionWatch(ConnectionRole.COMMANDS, notices, () -> link().isUp(), this::now);
        this.subscriptionsWatch = new ConnectionWatch(
                ConnectionRole.SUBSCRIPTIONS, notices, () -> channels().isConnected(), this::now);
    }

    void connect(RedisLink commands, Subscriptions subscriptions) {
        link = commands;
        channels = subscriptions;
        subscriptions.onChange(subscriptionsWatch::up, () -> subscriptionsWatch.down(null));
    }

    // --- The parts, shared with each other.

    RedisLink link() {
        RedisLink known = link;
        if (known == null) {
            throw new IllegalStateException("the engine is connected before it is used");
        }
        return known;
    }

    Subscriptions channels() {
        Subscriptions known = channels;
        if (known == null) {
            throw new IllegalStateException("the engine is connected before it is used");
        }
        return known;
    }

    Deadlines deadlines() {
        return deadlines;
    }

    OwnerIds owners() {
        return owners;
    }

    Callbacks callbacks() {
        return callbacks;
    }

    EventPublisher notices() {
        return notices;
    }

    LockExceptions failures() {
        return failures;
    }

    RedisErrors refusals() {
        return refusals;
    }

    Releases releases() {
        return releases;
    }

    Lanes lanes() {
        return lanes;
    }

    WaitQueues queues() {
        return queues;
    }

    Handoffs handoffs() {
        return handoffs;
    }

    ConnectionWait outage() {
        return outage;
    }

    LeaseRequest watchedLease() {
        return watchedLease;
    }

    long now() {
        return deadlines.nanoTime();
    }

    long commandTimeoutNanos() {
        return commandTimeoutNanos;
    }

    /** {@return how long a queue waits at most for a message before its head tries, since a key may have no expiry} */
    long longestListenNanos() {
        return longestListenNanos;
    }

    /** {@return whether a thread that owns a hold is interrupted when the hold is lost} */
    boolean interruptsOnLoss() {
        return interruptsOnLoss;
    }

    /** {@return where the caller acquires a handle; null if leak tracking does not record it} */
    LeakTracking.@Nullable Origin origin() {
        return leakTracking.origin();
    }

    long nextTenure() {
        return tenures.next();
    }

    /** Runs the task after a pause, which may be shorter than a tick of the timer; at once if the client is closed. */
    @SuppressWarnings("FutureReturnValueIgnored") // the task throws nothing, and is never cancelled
    void after(Duration pause, Runnable task) {
        try {
            pauses.schedule(task, pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            task.run();
        }
    }

    void send(Call call) {
        link().send(call);
    }

    // --- Acquiring and releasing.

    /**
     * Begins an acquisition. One that may wait joins the lock's queue at once if there is one; a re-entry never waits.
     *
     * @throws IllegalStateException if the client is closed, or if the owner holds or acquires the lock as another kind
     */
    <A extends Acquisition> A begin(A acquisition) {
        if (closing && turnsAway(isReentry(acquisition))) {
            throw clientIsClosed();
        }
        OwnerLane lane = lanes.pin(acquisition.lock(), acquisition.ownerId());
        acquisition.pinned(lane);
        acquisition.armDeadline();
        boolean reenters = lane.reentrable() != null;
        if (reenters || !acquisition.waits() || !queues.joinUntried(acquisition)) {
            attempt(acquisition);
        }
        if (turnsAway(reenters)) {
            acquisition.close();
        }
        return acquisition;
    }

    private boolean isReentry(Acquisition acquisition) {
        OwnerLane lane = lanes.get(acquisition.lock(), acquisition.ownerId());
        return lane != null && lane.reentrable() != null;
    }

    /** Submits an attempt for the acquisition. A retired lane does not take it: the acquisition has ended then. */
    void attempt(Acquisition acquisition) {
        OwnerLane lane = acquisition.lane();
        lane.submit(new Attempt(lane, acquisition));
    }

    /** Releases the level that the owner entered last. */
    CompletableFuture<@Nullable Void> release(LockKey lock, long ownerId) {
        Release release = submitRelease(lock, ownerId);
        if (release == null) {
            return CompletableFuture.failedFuture(failures.notHeld(lock, ownerId));
        }
        return release.outcome();
    }

    /**
     * Releases the level that the owner entered last. The caller blocks until Redis has answered if the client awaits
     * releases. With {@code interruptOnLoss} it blocks at least until the level is no longer the owner's, so that no
     * interrupt for the hold comes later.
     */
    void unlock(LockKey lock, long ownerId) {
        Release release = submitRelease(lock, ownerId);
        if (release == null) {
            throw failures.notHeld(lock, ownerId);
        }
        if (interruptsOnLoss && !release.hasBegun()) {
            Blocking.forResult(release.outcome());
        } else {
            releases.finish(release.outcome());
        }
    }

    private @Nullable Release submitRelease(LockKey lock, long ownerId) {
        OwnerLane lane = lanes.get(lock, ownerId);
        Release release = lane == null ? null : Release.ofTop(lane);
        return lane != null && release != null && lane.submit(release) ? release : null;
    }

    /**
     * Releases the hold. A retired lane means that the hold was lost and forgotten, so there is nothing left to
     * release.
     */
    CompletableFuture<@Nullable Void> release(Hold hold) {
        Release release = Release.of(hold);
        if (!hold.lane().submit(release)) {
            return CompletableFuture.failedFuture(failures.lost(hold, hold.lossNow(LossReason.GONE)));
        }
        return release.outcome();
    }

    /** Releases a level that its caller did not accept. A retired lane means that there is nothing left to release. */
    void releaseUnwanted(Hold hold, long level) {
        hold.lane().submit(Release.ofUnwanted(hold, level));
    }

    CompletableFuture<@Nullable Void> extend(Hold hold, LeaseRequest lease) {
        Extension extension = new Extension(hold.lane(), hold, lease.millis());
        if (!hold.lane().submit(extension)) {
            return CompletableFuture.failedFuture(failures.gone(hold));
        }
        return extension.outcome();
    }

    // --- The lives of holds.

    void keep(Hold hold, long sentNanos, LeaseRequest lease) {
        hold.attachLease(keeper.keep(hold, sentNanos, lease.nanos(), lease.watched()));
    }

    /** Keeps a hold that a handoff in flight transfers from another. */
    KeptLease keepUnconfirmed(Hold hold, long sentNanos, LeaseRequest lease, Hold from) {
        return keeper.keepUnconfirmed(hold, sentNanos, lease.nanos(), lease.watched(), from.lease());
    }

    void onRenewed(Hold hold) {
        notices.renewed(hold);
    }

    void onAtRisk(Hold hold, long remainingNanos) {
        Duration remaining = Duration.ofNanos(remainingNanos);
        log.warn("{} is at risk: it could not be renewed, {} ms left", hold, remaining.toMillis());
        notices.atRisk(hold, remaining);
    }

    void onOwnerDead(Hold hold, long remainingNanos) {
        long left = Duration.ofNanos(remainingNanos).toMillis();
        log.warn("{} is abandoned: its owner thread has died; it is renewed no more, lost in {} ms", hold, left);
    }

    void onLost(Hold hold, LeaseLoss loss) {
        notices.lost(hold, loss);
        if (hold.isOfHandle()) {
            callbacks.completeFirst(hold.lossSignal(), loss);
        }
        lostHolds.add(hold);
        queues.lost(hold);
        lanes.noteEnd();
        String message = failures.lost(hold, loss).getMessage();
        if (hold.ranOutAsMeant(loss)) {
            log.debug("{}", message);
        } else {
            log.warn("{}", message);
        }
    }

    void noteOutcome(Call call) {
        if (call.outcome() == Call.Outcome.UNKNOWN) {
            notices.unknownOutcome();
        }
    }

    // --- The link.

    @Override
    public void opening(Consumer<Call> first) {
        handoffs.opening(first);
    }

    @Override
    public void up() {
        outage.over();
        keeper.verifyAll();
        commandsWatch.up();
    }

    @Override
    public void down(Throwable why) {
        log.debug("The connection to Redis is gone", why);
        commandsWatch.down(why);
    }

    /** Refuses to block an I/O thread, since the answer is read by that thread. */
    void refuseOnIoThread() {
        if (link().isIoThread() || channels().isIoThread()) {
            throw new IllegalStateException("a blocking call on the driver's I/O thread "
                    + Thread.currentThread().getName() + " would wait for itself; use the async methods there");
        }
    }

    boolean isConnected() {
        return link().isUp() && channels().isConnected();
    }

    HoldfastStats stats() {
        long waiters = queues.all().stream().mapToLong(WaitQueue::size).sum();
        return notices.stats(keeper.size(), waiters);
    }

    /** {@return the resources in use, with their counts; empty if all counts are zero} */
    String residue() {
        Map<String, Integer> parts = new LinkedHashMap<>();
        parts.put("lanes", lanes.size());
        parts.put("queues", queues.size());
        parts.put("leases", keeper.size());
        parts.put("calls in flight", link().inFlight());
        parts.put("waits for the link", outage.size());
        parts.put("lost holds", lostHolds.size());
        parts.put("channels", channels().channels());
        parts.put("timeouts", Math.max(0, deadlines.pending() - link().pendingTimeouts()));
        parts.values().removeIf(count -> count == 0);
        return parts.isEmpty() ? "" : parts.toString();
    }

    // --- The end.

    /** {@return whether only re-entries are granted, or nothing at all} */
    boolean isClosing() {
        return closing;
    }

    /**
     * {@return whether the close refuses an acquisition: from its beginning, but a re-entry only after the grace
     * period}
     */
    boolean turnsAway(boolean reenters) {
        return closed || (closing && !reenters);
    }

    void refuseIfClosed() {
        if (closed) {
            throw clientIsClosed();
        }
    }

    private static IllegalStateException clientIsClosed() {
        return new IllegalStateException("this Holdfast client is closed");
    }

    /** Grants only re-entries from now on, and fails the waiters. */
    void stopGranting() {
        closing = true;
        queues.all().forEach(WaitQueue::close);
    }

    /**
     * Ends renewal, reports the remaining holds as lost, and awaits commands in progress for the command timeout at
     * most.
     */
    void close() {
        stopGranting();
        closed = true;
        keeper.close();
        for (OwnerLane lane : lanes.all()) {
            lane.holds().forEach(hold -> hold.lose(LossReason.CLOSED));
        }
        Stream<CompletableFuture<?>> steps = lanes.all().stream().map(OwnerLane::finish);
        Stream<CompletableFuture<?>> handoffs =
                queues.all().stream().flatMap(queue -> queue.cohort().outcomes().stream());
        CompletableFuture<?>[] ends = Stream.concat(steps, handoffs).toArray(CompletableFuture[]::new);
        Blocking.atMost(CompletableFuture.allOf(ends), Duration.ofNanos(commandTimeoutNanos));
        commandsWatch.close();
        subscriptionsWatch.close();
    }
}

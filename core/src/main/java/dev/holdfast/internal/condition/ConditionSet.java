package dev.holdfast.internal.condition;

import dev.holdfast.LockException;
import dev.holdfast.internal.condition.ConditionScripts.Wait;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.node.Query;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.session.Session;
import dev.holdfast.pubsub.ChannelListener;
import dev.holdfast.pubsub.Subscription;
import dev.holdfast.pubsub.SubscriptionsClosedException;
import dev.holdfast.watchdog.Deadline;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The waiters of one client for the conditions of one lock.
 *
 * <pre>
 *            a thread is about to wait          confirmed: it may release the lock
 *   CLOSED --------------------------> OPENING ------------------------------------> LISTENING
 *     ^                                   |                                            |  |  every third of the watchdog timeout:
 *     |                                   | refused: the thread goes on to hold        |  +- it proves that it is alive, and asks
 *     +-----------------------------------+ the lock; or the lock has moved -----------+     whether its waiters are in their sets
 *
 *   of each: no thread has waited for a watchdog timeout ---> RETIRED: the client is no longer registered
 * </pre>
 *
 * <p>A signal reaches one waiter, by a message. Whatever could have lost it wakes waiters that need not wake, which conditions allow:
 *
 * <ul>
 *   <li>A client that dies when it was signalled, or while it has the lock after that, is found by the next other client that
 *       proves to be alive: it is not subscribed any more, or has not proved that for a watchdog timeout. All wake then. That is why
 *       a client stays registered for so long after its last wait.
 *   <li>A message that was lost, a connection that was replaced, and wait sets that were lost are found when the client asks for
 *       its waiters: at each confirmation of the channel, and every third of the watchdog timeout. Those that are missing wake.
 *   <li>At another home of the lock, the wait sets may lack what was acknowledged: the waiters of this client wake when that is
 *       known.
 *   <li>A signal for a waiter that is not here any more: it was woken in doubt, and its entry had remained. All wake.
 * </ul>
 *
 * <p>Nothing is sent, subscribed or completed under its monitor.
 */
final class ConditionSet {
    private static final Logger log = LoggerFactory.getLogger(ConditionSet.class);

    private static final Pattern SIGNAL = Pattern.compile("signal (\\S+:(-?\\d{1,18})) (\\d{1,18})(?: .*)?");

    /** How many times within a watchdog timeout the client proves that it is alive. */
    private static final int BEATS = 3;

    /** A waiter that is missing may have been signalled just now: so long is its message awaited. */
    private static final Duration UNDER_WAY = Duration.ofMillis(100);

    private final Conditions conditions;
    private final Session session;
    private final ConditionKey key;
    private final Deadline heartbeat = Deadline.of(this::beat);

    // All below is guarded by this.
    private final Map<Long, ConditionWaiter> waiters = new HashMap<>();

    /** Tickets of waits that had been signalled when they were to leave: the messages are under way. */
    private final Set<Long> underWay = new HashSet<>();

    /** The waiter for which the lock was requested where its wait ended. */
    private @Nullable ConditionWaiter ahead;

    /** How many threads are about to wait, or to be granted the lock after that. */
    private int users;

    private @Nullable Subscription signals;
    private @Nullable CompletableFuture<Void> opening;
    private int openings;

    /** When the last thread was done. */
    private long unusedNanos;

    private boolean retired;

    ConditionSet(Conditions conditions, ConditionKey key) {
        this.conditions = conditions;
        this.session = conditions.session();
        this.key = key;
    }

    Session session() {
        return session;
    }

    ConditionKey key() {
        return key;
    }

    Home home() {
        return conditions.homes().of(key);
    }

    // --- The life of a wait.

    /** A thread is about to wait: {@link #leave(long)} is owed. Returns false if this is retired. */
    synchronized boolean enter() {
        if (retired) {
            return false;
        }
        users++;
        return true;
    }

    /** The waiter begins to wait: signals are for it from now on. */
    synchronized void add(long ownerId, ConditionWaiter waiter) {
        waiters.put(ownerId, waiter);
    }

    /** The thread has the lock again, or has failed to. */
    synchronized void leave(long ownerId) {
        ConditionWaiter left = waiters.remove(ownerId);
        if (left == ahead) {
            ahead = null;
        }
        users--;
        unusedNanos = session.now();
    }

    /** {@return whether the lock is requested for this waiter at once: for one at a time} */
    synchronized boolean goesAhead(ConditionWaiter waiter) {
        boolean first = ahead == null;
        if (first) {
            ahead = waiter;
        }
        return first;
    }

    /** {@return how many threads wait} */
    synchronized int size() {
        return waiters.size();
    }

    /** It was signalled before it could leave its wait set. */
    void signalledBefore(ConditionWaiter waiter) {
        Long ticket = waiter.asWait().ticket();
        synchronized (this) {
            underWay.add(ticket);
        }
        if (!waiter.signalled()) {
            synchronized (this) {
                underWay.remove(ticket);
            }
        }
    }

    private synchronized List<ConditionWaiter> all() {
        return List.copyOf(waiters.values());
    }

    // --- The channel.

    /** {@return completes when signals can be received; fails if they cannot} */
    CompletableFuture<Void> listening() {
        CompletableFuture<Void> known;
        int number;
        synchronized (this) {
            known = opening;
            if (known != null && !known.isCompletedExceptionally()) {
                return known;
            }
            known = new CompletableFuture<>();
            opening = known;
            number = ++openings;
        }
        open(known, number);
        return known;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // every outcome is processed
    private void open(CompletableFuture<Void> confirmed, int number) {
        Subscription opened;
        try {
            opened = home().channels().subscribe(key.channelOf(session.owners().clientId()), new Signals());
        } catch (SubscriptionsClosedException e) {
            confirmed.completeExceptionally(conditions.closed(key));
            return;
        }
        boolean late;
        synchronized (this) {
            late = retired || number != openings;
            signals = late ? signals : opened;
        }
        if (late) {
            opened.close();
            confirmed.completeExceptionally(conditions.closed(key));
            return;
        }
        session.deadlines().schedule(heartbeat, session.now() + beatNanos());
        opened.confirmed().whenComplete((done, refusal) -> {
            if (refusal == null) {
                confirmed.complete(null);
            } else {
                confirmed.completeExceptionally(whyNot(refusal));
            }
        });
    }

    private LockException whyNot(Throwable refusal) {
        Throwable cause = refusal.getCause();
        Throwable why = refusal instanceof CompletionException && cause != null ? cause : refusal;
        return why instanceof SubscriptionsClosedException
                ? conditions.closed(key)
                : session.exceptions().conditionRefused(key, why);
    }

    /** The lock has another home, whose wait sets may lack what the former one has acknowledged. */
    @SuppressWarnings("FutureReturnValueIgnored") // the threads that wait are woken, and ask for it again
    void moved() {
        close();
        all().forEach(ConditionWaiter::roused);
        boolean isUsed;
        synchronized (this) {
            isUsed = users > 0 && !retired;
        }
        if (isUsed) {
            listening();
        }
    }

    private void close() {
        Subscription former;
        CompletableFuture<Void> unconfirmed;
        synchronized (this) {
            former = signals;
            unconfirmed = opening;
            signals = null;
            opening = null;
            openings++;
        }
        if (unconfirmed != null) {
            // A thread that is about to wait goes on: what it misses is found when the next channel is confirmed.
            unconfirmed.complete(null);
        }
        if (former != null) {
            former.close();
        }
    }

    /** The messages to this client. */
    private final class Signals implements ChannelListener {
        @Override
        public void confirmed() {
            forgetMessages();
            if (size() > 0) {
                watch();
            }
        }

        @Override
        public void message(String message) {
            Matcher signal = SIGNAL.matcher(message);
            if (signal.matches()) {
                signalled(Long.parseLong(signal.group(2)), signal.group(1), Long.parseLong(signal.group(3)));
            } else if (message.startsWith("rouse")) {
                forgetMessages();
                all().forEach(ConditionWaiter::roused);
            } else {
                log.debug("Ignored what is no message to waiters for conditions: {}", message);
            }
        }
    }

    /** Those that were under way have arrived, or are lost. */
    private synchronized void forgetMessages() {
        underWay.clear();
    }

    private void signalled(long ownerId, String owner, long ticket) {
        ConditionWaiter waiter;
        synchronized (this) {
            if (underWay.remove(ticket)) {
                return;
            }
            waiter = waiters.get(ownerId);
        }
        if (waiter != null
                && waiter.asWait().ticket() == ticket
                && waiter.asWait().owner().equals(owner)) {
            if (!waiter.signalled() && !waiter.isWoken()) {
                rouseAll();
            }
        } else if (owner.equals(session.owners().name(ownerId)) && session.hasDrawn(ticket)) {
            rouseAll();
        }
    }

    // --- The heartbeat.

    private long beatNanos() {
        return session.watchdogTimeout().toNanos() / BEATS;
    }

    private void beat() {
        boolean isOver;
        synchronized (this) {
            if (retired) {
                return;
            }
            isOver = users == 0
                    && session.now() - unusedNanos >= session.watchdogTimeout().toNanos();
            retired = isOver;
        }
        if (isOver) {
            CompletableFuture<?> unused = retire();
        } else {
            watch();
            session.deadlines().schedule(heartbeat, session.now() + beatNanos());
        }
    }

    /** Sent, and the channel closed, before another set of this lock can register the client again. */
    private CompletableFuture<?> retire() {
        CompletableFuture<?> unregistered = ask(
                caller -> ConditionScripts.watch(key, session.owners().clientId(), 0, List.of(), isCounted(), caller),
                call -> true);
        close();
        conditions.remove(this);
        return unregistered;
    }

    private boolean isCounted() {
        return home().publishing().isCounted();
    }

    /** Asks which waiters are in their wait sets. */
    @SuppressWarnings("FutureReturnValueIgnored") // without an answer, the next one counts
    private void watch() {
        List<ConditionWaiter> asked =
                all().stream().filter(ConditionWaiter::isRegistered).toList();
        List<Wait> waits = asked.stream().map(ConditionWaiter::asWait).toList();
        long leaseMillis = session.watchdogTimeout().toMillis();
        ask(
                        caller -> ConditionScripts.watch(
                                key, session.owners().clientId(), leaseMillis, waits, isCounted(), caller),
                        ConditionScripts::missing)
                .thenAccept(missing -> missing.forEach(index -> session.after(UNDER_WAY, asked.get(index)::roused)));
    }

    /** Has all wake that wait for the conditions of this lock, in all clients. */
    @SuppressWarnings("FutureReturnValueIgnored") // a failure is processed
    void rouseAll() {
        all().forEach(ConditionWaiter::roused);
        CompletableFuture<Boolean> rousing = ask(caller -> ConditionScripts.rouse(key, caller), call -> true);
        conditions.noteRousing(rousing);
        rousing.whenComplete((done, failure) -> {
            if (failure != null) {
                conditions.signalsLost(key, failure);
            }
        });
    }

    /** {@return whether the wait was in its wait set until now} */
    CompletableFuture<Boolean> leave(Wait wait) {
        return ask(caller -> ConditionScripts.leave(key, wait, caller), ConditionScripts::isDone);
    }

    private <T> CompletableFuture<T> ask(Function<Call.Callback, Call> command, Function<Call, T> reader) {
        Query<T> query = new Query<>(session, conditions.homes(), key, true, session.outageNanos()) {
            @Override
            protected Call call(Home home) {
                return command.apply(this);
            }

            @Override
            protected void answered(Call call) {
                complete(reader.apply(call));
            }
        };
        query.beginLimited();
        return query.answer();
    }

    /** The client is being closed. Those that were signalled, perhaps a moment ago, will not have the lock. */
    void stopWaiting() {
        all().forEach(waiter -> waiter.failed(conditions.closed(key)));
        rouseAll();
    }

    /**
     * The client is closed, and loses what it holds: all wake, since the owner of that may have been signalled. Completes when it is
     * no longer registered.
     */
    CompletableFuture<?> closed() {
        session.deadlines().cancel(heartbeat);
        synchronized (this) {
            retired = true;
        }
        rouseAll();
        return retire();
    }
}

package dev.holdfast.internal.latch;

import dev.holdfast.internal.latch.LatchState.Verdict;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.wait.QueueSubscription;
import dev.holdfast.internal.wait.WakeUpSource;
import dev.holdfast.pubsub.Subscription;
import dev.holdfast.pubsub.Waiter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a client that await one latch: one subscription and one look at a time for all of them.
 *
 * <pre>
 *            a waiter joins: subscribe                  woken: confirmation, message, time, a further waiter
 *   RESTING --------------------------> LISTENING --------------------------------------------------------> LOOKING
 *     ^                                    ^                                                                 |  |
 *     |                                    +------------- the count is not zero, waiters remain -------------+  |
 *     +------------------------------------ no waiter is left --------------------------------------------------+
 * </pre>
 *
 * <p>A look counts for the waiters that had joined when it was sent. If others have joined since, the next one follows at once.
 * No wake-up is lost, by the order that {@code QueueHead} has: stored messages are dropped before a look is sent, and what
 * arrives while it is in flight is found when it has ended.
 *
 * <p>A queue is retired when it has no waiter, and accepts none then. Its monitor is held for a few instructions; under it
 * nothing is sent, subscribed or completed.
 */
final class LatchQueue implements QueueSubscription.Subscriber {
    /** A message can be lost between the nodes of a cluster: so the time from one look to the next has a limit. */
    private static final long LONGEST_LISTEN_NANOS = Duration.ofMinutes(1).toNanos();

    private enum Phase {
        RESTING,
        LISTENING,
        LOOKING
    }

    private final Latches latches;
    private final Session session;
    private final LatchKey latch;

    // All below is guarded by this.
    private final WakeUpSource wakeUps;
    private final QueueSubscription subscription;
    private final Set<LatchWaiter> waiters = new LinkedHashSet<>();
    private Phase phase = Phase.RESTING;
    private boolean retired;

    /** When the last look was sent that was answered; long ago if there was none. */
    private long seenNanos;

    /** Why the last look was not answered; null if it was. */
    private @Nullable Throwable trouble;

    LatchQueue(Latches latches, LatchKey latch) {
        this.latches = latches;
        this.session = latches.session();
        this.latch = latch;
        this.seenNanos = session.now() - 2 * session.commandTimeoutNanos();
        this.wakeUps = new WakeUpSource(session.deadlines(), LONGEST_LISTEN_NANOS, this::wake);
        this.subscription = new QueueSubscription(this, session, latch.channel(), wakeUps, this);
    }

    LatchKey latch() {
        return latch;
    }

    Session session() {
        return session;
    }

    // --- Joining and leaving.

    /**
     * Adds a waiter. The first look follows the confirmation of the subscription; if that takes a command timeout, it does not wait
     * for it.
     *
     * @return false if the queue is retired
     */
    boolean join(LatchWaiter waiter) {
        synchronized (this) {
            if (retired) {
                return false;
            }
            waiters.add(waiter);
        }
        waiter.armDeadline();
        subscription.open();
        if (isConfirmed()) {
            wake();
        } else {
            listen(TimeUnit.NANOSECONDS.toMillis(session.commandTimeoutNanos()));
        }
        return true;
    }

    private synchronized boolean isConfirmed() {
        return subscription.isConfirmed();
    }

    /** {@return whether it was a waiter} It waits no longer, and the caller ends it. */
    boolean leave(LatchWaiter waiter) {
        boolean removed;
        synchronized (this) {
            removed = waiters.remove(waiter);
        }
        retireUnlessWanted();
        return removed;
    }

    private List<LatchWaiter> take(Predicate<LatchWaiter> which) {
        List<LatchWaiter> taken;
        synchronized (this) {
            taken = waiters.stream().filter(which).toList();
            taken.forEach(waiters::remove);
        }
        retireUnlessWanted();
        return taken;
    }

    private void retireUnlessWanted() {
        WakeUpSource.Leftover leftover;
        synchronized (this) {
            if (retired || !waiters.isEmpty() || phase == Phase.LOOKING) {
                return;
            }
            retired = true;
            phase = Phase.RESTING;
            leftover = wakeUps.shut();
        }
        latches.remove(this);
        leftover.close();
    }

    /** The client is being closed. */
    void close() {
        take(waiter -> true).forEach(waiter -> waiter.fail(LatchExceptions.closed(latch)));
    }

    /** {@return how many wait: a call whose first look is not answered yet may find the latch open} */
    synchronized long size() {
        return waiters.stream().filter(LatchWaiter::isWaiting).count();
    }

    // --- Looking.

    /** {@return whether an answer is recent enough to say that the latch was not open} */
    synchronized boolean isSeen(long now) {
        return now - seenNanos <= session.commandTimeoutNanos();
    }

    synchronized @Nullable Throwable trouble() {
        return trouble;
    }

    /** Looks again if the last answer would soon be too old. */
    void refresh(long now) {
        synchronized (this) {
            if (now - seenNanos <= session.commandTimeoutNanos() / 2) {
                return;
            }
        }
        wake();
    }

    @Override
    public void wake() {
        Subscription open;
        Waiter unused;
        List<LatchWaiter> asking;
        synchronized (this) {
            if (phase == Phase.LOOKING || waiters.isEmpty()) {
                return;
            }
            open = wakeUps.subscription();
            unused = wakeUps.rest(null);
            phase = Phase.LOOKING;
            asking = List.copyOf(waiters);
        }
        if (open != null) {
            if (unused != null) {
                open.leave(unused);
            }
            open.drain();
        }
        look(asking);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // both outcomes are processed
    private void look(List<LatchWaiter> asking) {
        Look look = new Look(latches, latch, session.outageNanos());
        look.answer().whenComplete((seen, failure) -> {
            if (seen != null) {
                seen(seen, look.sentNanos(), asking);
            } else if (failure instanceof RuntimeException why) {
                failed(why, look.isUnanswered(), asking);
            }
        });
        look.send();
    }

    private void seen(LatchState seen, long sentNanos, List<LatchWaiter> asking) {
        Map<LatchWaiter, Verdict> ended = new LinkedHashMap<>();
        synchronized (this) {
            phase = Phase.RESTING;
            seenNanos = sentNanos;
            trouble = null;
            for (LatchWaiter waiter : asking) {
                Verdict verdict = waiters.contains(waiter) ? waiter.looked(seen) : Verdict.WAIT;
                if (verdict != Verdict.WAIT) {
                    waiters.remove(waiter);
                    ended.put(waiter, verdict);
                }
            }
        }
        ended.forEach(LatchWaiter::end);
        goOn(asking, seen.leftMillis() < 0 ? Long.MAX_VALUE : seen.leftMillis() + 1);
    }

    /** A caller that has given a time waits for an answer as long as that; all others fail. */
    private void failed(RuntimeException why, boolean unanswered, List<LatchWaiter> asking) {
        synchronized (this) {
            phase = Phase.RESTING;
            trouble = why;
        }
        Set<LatchWaiter> asked = Set.copyOf(asking);
        take(waiter -> asked.contains(waiter) && (!unanswered || waiter.waitsForEver()))
                .forEach(waiter -> waiter.fail(why));
        goOn(List.of(), Long.MAX_VALUE);
    }

    /** A look has ended, for which these waiters had asked. */
    private void goOn(List<LatchWaiter> asked, long leftMillis) {
        boolean again;
        synchronized (this) {
            again = !Set.copyOf(asked).containsAll(waiters);
        }
        if (again) {
            wake();
        } else {
            listen(leftMillis);
        }
        retireUnlessWanted();
    }

    /** Waits for a message, for so long at most. */
    private void listen(long leftMillis) {
        Waiter waiter;
        Subscription unconfirmed;
        Home home;
        synchronized (this) {
            waiter = phase != Phase.RESTING || waiters.isEmpty() ? null : wakeUps.listen(leftMillis);
            if (waiter == null) {
                return;
            }
            phase = Phase.LISTENING;
            home = subscription.home();
            unconfirmed = subscription.takeUnconfirmed();
        }
        if (unconfirmed != null) {
            subscription.awaitConfirmation(unconfirmed);
        }
        waiter.onWakeup((wakeup, end) -> {
            if (end == null) {
                woken(waiter);
            } else {
                channelsClosed(home);
            }
        });
    }

    private void woken(Waiter waiter) {
        Subscription open;
        Waiter unused;
        boolean late;
        synchronized (this) {
            open = wakeUps.subscription();
            late = phase != Phase.LISTENING || !wakeUps.listensBy(waiter);
            unused = late ? waiter : wakeUps.rest(waiter);
            phase = late ? phase : Phase.RESTING;
        }
        if (open != null && unused != null) {
            open.leave(unused);
        }
        if (!late) {
            wake();
        }
    }

    // --- The subscription.

    void moved() {
        subscription.moved();
    }

    @Override
    public Home home() {
        return latches.homes().of(latch);
    }

    @Override
    public boolean isRetired() {
        return retired;
    }

    @Override
    public void silenced() {
        if (phase == Phase.LISTENING) {
            phase = Phase.RESTING;
        }
    }

    @Override
    public synchronized boolean hasWaiters() {
        return !waiters.isEmpty();
    }

    @Override
    public void cannotListen(Throwable refusal) {
        take(waiter -> true).forEach(waiter -> waiter.fail(LatchExceptions.subscriptionRefused(latch, refusal)));
    }

    @Override
    public void channelsClosed(@Nullable Home of) {
        if (home() == of) {
            close();
        }
    }
}

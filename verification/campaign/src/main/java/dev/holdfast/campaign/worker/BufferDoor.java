package dev.holdfast.campaign.worker;

import dev.holdfast.FencedLock;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.What;
import dev.holdfast.campaign.schedule.ActorKind;
import dev.holdfast.campaign.schedule.RoundPlan;
import dev.holdfast.campaign.schedule.Turn;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * One turn at the bounded buffer that a fenced lock guards: the thread waits until there is room or an item, puts or takes one, signals
 * that, and works on. It gives up at the end of the turn's wait.
 *
 * <p>In the journal, a wait for a condition is a release that is not awaited, and an acquisition, which is called at the beginning of
 * the wait.
 */
final class BufferDoor implements Door {
    private final HoldfastClient client;
    private final ActorKind kind;
    private final OwnerDiary owner;
    /** That of the current wait, or of the last one; null before the first. */
    private volatile @Nullable Alarm alarm;

    private volatile boolean stopped;

    /** @param kind a producer or a consumer */
    BufferDoor(HoldfastClient client, ActorKind kind) {
        this.client = client;
        this.kind = kind;
        this.owner =
                client.owner(By.BLOCKING, Long.toString(Thread.currentThread().getId()));
    }

    @Override
    public boolean isBlocking() {
        return true;
    }

    /** Ends the current wait, since others do not put or take anything more. */
    void stop() {
        stopped = true;
        Alarm current = alarm;
        if (current != null) {
            current.ring();
        }
    }

    @Override
    public Optional<Stay> enter(Turn turn) {
        FencedLock lock = client.fencedLock(turn);
        Call call = owner.acquires(turn, client.name(turn));
        Grant grant;
        try {
            long token = BlockingAcquirer.of(lock, turn).orElseThrow();
            grant = owner.granted(turn, call, token, 1, owner.owner());
        } catch (InterruptedException | RuntimeException e) {
            call.threw(e);
            return Optional.empty();
        }
        return exchange(turn, lock, grant);
    }

    /** {@return the hold at the end; empty if it was lost in a wait} */
    private Optional<Stay> exchange(Turn turn, FencedLock lock, Grant first) {
        long end = System.nanoTime() + turn.longestWait().toNanos();
        Optional<Grant> hold = Optional.of(first);
        while (hold.isPresent()) {
            Grant grant = hold.get();
            Optional<Buffer> found = look(grant);
            long left = end - System.nanoTime();
            if (found.isEmpty()) {
                passOn(lock);
            } else if (isReady(lock, found.get())) {
                exchange(lock, grant, found.get());
            } else if (left > 0 && !stopped) {
                hold = await(turn, lock, grant, Duration.ofNanos(left));
                continue;
            }
            Inspection inspection = Inspection.of(lock, owner, owner.owner());
            return Optional.of(new Level(grant, new CallingThread(lock), owner, inspection, lock::unlock));
        }
        return Optional.empty();
    }

    /** Without a token, the hold is lost. */
    private Optional<Buffer> look(Grant grant) {
        return grant.token() == 0 ? Optional.empty() : client.resource().look(grant.lock(), grant.token());
    }

    private boolean produces() {
        return kind == ActorKind.PRODUCER;
    }

    private boolean isReady(FencedLock lock, Buffer buffer) {
        return produces() ? buffer.size() < RoundPlan.capacity(lock.name()) : buffer.size() > 0;
    }

    private void exchange(FencedLock lock, Grant grant, Buffer found) {
        Buffer changed = produces() ? found.filled() : found.drained();
        long since = System.nanoTime();
        if (client.resource().write(grant.lock(), grant.token(), changed)) {
            client.diary().exchanged(grant.op(), since, grant.lock(), changed, RoundPlan.capacity(grant.lock()));
            signal(lock, produces() ? ActorKind.CONSUMER : ActorKind.PRODUCER);
        } else {
            passOn(lock);
        }
    }

    /** The hold is lost: a signal that has ended its wait is for others. */
    private void passOn(FencedLock lock) {
        signal(lock, kind);
    }

    private void signal(FencedLock lock, ActorKind waiter) {
        Call call = owner.calls(What.SIGNAL, lock.name(), Optional.empty());
        try {
            condition(lock, waiter).signal();
            call.done(0);
        } catch (RuntimeException e) {
            call.threw(e);
        }
    }

    private static Condition condition(FencedLock lock, ActorKind waiter) {
        return RoundPlan.condition(lock.name(), waiter).map(lock::getCondition).orElseGet(lock::newCondition);
    }

    /** {@return the hold after the wait; empty if it has none, or if there was no wait} */
    private Optional<Grant> await(Turn turn, FencedLock lock, Grant before, Duration left) {
        Alarm current = client.alarm(turn.patience().map(unused -> left));
        alarm = current;
        if (stopped) {
            current.ring();
        }
        Call call = owner.regains(turn, client.name(turn), produces(), left);
        try {
            await(condition(lock, kind), turn, left);
            return Optional.of(owner.granted(turn, call, tokenNow(lock), 1, owner.owner()));
        } catch (InterruptedException e) {
            long token = tokenNow(lock);
            if (token > before.token()) {
                return Optional.of(owner.granted(turn, call, token, 1, owner.owner()));
            }
            // Interrupted before it had released the lock.
            call.threw(e);
        } catch (RuntimeException e) {
            call.threw(e);
        } finally {
            current.turnOff();
        }
        leave(lock);
        return Optional.empty();
    }

    /** A wait without a limit ends by the alarm. */
    @SuppressWarnings("WaitNotInLoop") // exchange has the loop
    private static void await(Condition condition, Turn turn, Duration left) throws InterruptedException {
        if (turn.patience().isPresent()) {
            condition.await();
        } else {
            boolean unused = condition.await(left.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /** The lock is held, or the hold is lost: the release tells. It never finds that there is none. */
    private static void leave(FencedLock lock) {
        try {
            lock.unlock();
        } catch (LeaseLostException | LockException ended) {
            // It is not held any more.
        }
    }

    /** The lease may have run out since the grant; the level exists all the same. */
    private static long tokenNow(FencedLock lock) {
        try {
            return lock.getToken();
        } catch (LeaseLostException tooLate) {
            return 0;
        }
    }
}

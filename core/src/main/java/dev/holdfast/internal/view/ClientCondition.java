package dev.holdfast.internal.view;

import dev.holdfast.internal.client.Client;
import dev.holdfast.internal.condition.Conditions;
import dev.holdfast.internal.condition.Conditions.Outcome;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.session.Arguments;
import dev.holdfast.internal.session.ThreadIds;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/** The view of a condition of a lock in one client. A condition without a name has an empty one, and a signal of it wakes all. */
final class ClientCondition implements Condition {
    private final Client client;
    private final LockKey lock;
    private final String name;

    ClientCondition(Client client, LockKey lock, String name) {
        this.client = client;
        this.lock = lock;
        this.name = name;
    }

    @Override
    public void await() throws InterruptedException {
        boolean woken = isWoken(Conditions.FOR_EVER);
        if (!woken) {
            throw new IllegalStateException("a wait without end has no end");
        }
    }

    @Override
    public void awaitUninterruptibly() {
        Outcome unused = wait(Conditions.FOR_EVER, false);
    }

    @Override
    public long awaitNanos(long nanosTimeout) throws InterruptedException {
        long end = client.session().now() + Arguments.waitNanos(nanosTimeout, TimeUnit.NANOSECONDS);
        boolean woken = isWoken(end - client.session().now());
        long left = end - client.session().now();
        return woken ? left : Math.min(0, left);
    }

    @Override
    public boolean await(long time, TimeUnit unit) throws InterruptedException {
        return isWoken(Arguments.waitNanos(time, unit));
    }

    @Override
    @SuppressWarnings("JavaUtilDate") // the interface has it
    public boolean awaitUntil(Date deadline) throws InterruptedException {
        long now = client.session().wallMillis().getAsLong();
        return isWoken(Arguments.waitNanos(Math.max(now, deadline.getTime()) - now, TimeUnit.MILLISECONDS));
    }

    private boolean isWoken(long waitNanos) throws InterruptedException {
        Outcome outcome = wait(waitNanos, true);
        if (outcome == Outcome.INTERRUPTED) {
            Thread.interrupted();
            throw new InterruptedException("interrupted while waiting for a condition of " + lock.subject());
        }
        return outcome == Outcome.WOKEN;
    }

    private Outcome wait(long waitNanos, boolean interruptible) {
        client.refuseOnIoThread();
        long ownerId = ThreadIds.current();
        client.conditions().requireHeld(lock, ownerId);
        LockKey read = lock.otherSide();
        if (read != null && client.holds().locks().mayBeHeld(read, ownerId)) {
            throw new IllegalStateException("a thread that waits for a condition of write " + lock.subject()
                    + " must not hold the read lock: nobody could fulfil the condition");
        }
        return client.conditions().await(lock, ownerId, name, waitNanos, interruptible);
    }

    @Override
    public void signal() {
        client.conditions().signal(lock, ThreadIds.current(), name, name.isEmpty());
    }

    @Override
    public void signalAll() {
        client.conditions().signal(lock, ThreadIds.current(), name, true);
    }

    @Override
    public String toString() {
        return "Condition[" + name + " of " + lock.subject() + "]";
    }
}

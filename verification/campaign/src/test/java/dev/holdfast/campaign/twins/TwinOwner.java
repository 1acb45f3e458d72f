package dev.holdfast.campaign.twins;

import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Event.Announced;
import dev.holdfast.campaign.history.Event.Believed;
import dev.holdfast.campaign.history.Event.Called;
import dev.holdfast.campaign.history.Event.Confirmed;
import dev.holdfast.campaign.history.Event.LeaseShown;
import dev.holdfast.campaign.history.Event.Returned;
import dev.holdfast.campaign.history.Event.SeenLost;
import dev.holdfast.campaign.history.Loss;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.ReportChannel;
import dev.holdfast.campaign.history.What;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One owner of one twin lock, used by one thread at a time. Its operations are recorded in its client's journal. */
final class TwinOwner implements AutoCloseable {
    static final Duration LEASE = Duration.ofMillis(1500);
    static final Duration DRIFT = Duration.ofMillis(15);
    private static final Duration NEVER = Duration.ofSeconds(3);
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(5);
    /** Longer than the report of a loss may take. */
    private static final Duration IN_VAIN = Duration.ofMillis(700);

    private final TwinClient client;
    private final String name;
    private final String lock;
    private final TwinWire wire;
    private final TwinWire renewalWire;
    private final Semaphore wakeUps = new Semaphore(0);
    private @Nullable StatefulRedisPubSubConnection<String, String> subscriber;
    private @Nullable Future<?> renewal;
    private long tenure;
    private int levels;
    private Op held = new Op("", 0);
    /** Written by the owner's thread and by renewals. */
    private volatile long validUntil;

    TwinOwner(TwinClient client, String name, String lock) {
        this.client = client;
        this.name = name;
        this.lock = lock;
        this.wire = new TwinWire(client.redis());
        this.renewalWire = new TwinWire(client.redis());
    }

    String lock() {
        return lock;
    }

    /** The acquisition, and its token. */
    record Grant(Op op, long token) {}

    /** Waits for the lock, with a lease that is renewed. */
    Optional<Grant> acquire() {
        return acquire(Duration.ZERO, () -> {});
    }

    /**
     * Waits for the lock.
     *
     * @param lease zero for one that is renewed
     * @param beforeListening runs between the first attempt and the subscription
     * @return empty if the lock was never granted: the call is then recorded as one that did not return
     */
    Optional<Grant> acquire(Duration lease, Runnable beforeListening) {
        Op op = called(What.LOCK, lease.toMillis());
        long end = System.nanoTime() + NEVER.toNanos();
        List<Long> reply = tryOnce(op, lease);
        boolean wait = false;
        while (reply.get(0) == 0) {
            if (subscriber == null) {
                beforeListening.run();
                listen();
                wait = !client.make().triesAfterSubscribe();
            }
            if (wait && !wakes(Math.max(1, reply.get(1))) && System.nanoTime() > end) {
                return Optional.empty();
            }
            wait = true;
            wakeUps.drainPermits();
            reply = tryOnce(op, lease);
        }
        return Optional.of(new Grant(op, reply.get(1)));
    }

    /** Waits for a release message, or for a time. */
    private boolean wakes(long millis) {
        try {
            return wakeUps.tryAcquire(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException("a twin must not be interrupted", e);
        }
    }

    /** {@return the grant, if the lock was free} */
    Optional<Grant> tryAcquire() {
        Op op = called(What.TRY, 0);
        List<Long> reply = tryOnce(op, Duration.ZERO);
        if (reply.get(0) == 0) {
            returned(op, Outcome.REFUSED, 0, levels, Loss.NONE);
            return Optional.empty();
        }
        return Optional.of(new Grant(op, reply.get(1)));
    }

    private List<Long> tryOnce(Op op, Duration lease) {
        Duration requested = lease.isZero() ? LEASE : lease;
        if (levels == 0) {
            tenure++;
        }
        long sent = System.nanoTime();
        List<Long> reply = wire.eval(
                client.make().acquire(),
                List.of(lock, "tokens:" + lock),
                name,
                Long.toString(tenure),
                Integer.toString(levels + 1),
                Long.toString(requested.toMillis()));
        if (reply.get(0) == 1) {
            levels++;
            validUntil = sent + requested.minus(DRIFT).toNanos();
            if (levels == 1) {
                held = op;
                watch(lease);
            }
            returned(op, Outcome.GRANTED, reply.get(1), levels, Loss.NONE);
        }
        return reply;
    }

    private void listen() {
        StatefulRedisPubSubConnection<String, String> opened = client.redis().connectPubSub();
        opened.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String message) {
                wakeUps.release();
            }
        });
        opened.sync().subscribe(channel());
        subscriber = opened;
    }

    private void watch(Duration lease) {
        if (lease.isZero()) {
            long period = LEASE.toMillis() / 3;
            Op op = held;
            long watched = tenure;
            renewal = client.renewals()
                    .scheduleAtFixedRate(() -> renew(op, watched), period, period, TimeUnit.MILLISECONDS);
        }
    }

    private void renew(Op op, long watched) {
        long sent = System.nanoTime();
        List<Long> reply = renewalWire.eval(
                client.make().renew(), List.of(lock), name, Long.toString(watched), Long.toString(LEASE.toMillis()));
        if (reply.get(0) == 1) {
            validUntil = sent + LEASE.minus(DRIFT).toNanos();
            client.record(new Confirmed(sent, System.nanoTime(), op, LEASE.toMillis()));
        }
    }

    boolean isValid() {
        return !client.make().checksTheClock() || System.nanoTime() < validUntil;
    }

    /**
     * Works while it holds the lock: for a time, or until the hold is invalid, which is then recorded. Does nothing if
     * it is invalid already.
     *
     * @return whether the hold was considered valid for longer than a point in time
     */
    boolean work(Op op, Duration time) {
        long end = System.nanoTime() + time.toNanos();
        return work(op, () -> System.nanoTime() >= end);
    }

    /** The same until a condition is true; the hold is checked once more afterwards. */
    boolean work(Op op, BooleanSupplier done) {
        if (!isValid()) {
            return false;
        }
        showLease(op);
        long since = System.nanoTime();
        long last = since;
        boolean ends;
        do {
            ends = done.getAsBoolean();
            long now = System.nanoTime();
            if (!isValid()) {
                client.record(new SeenLost(System.nanoTime(), op));
                reportLoss(op);
                break;
            }
            last = now;
            if (!ends) {
                LockSupport.parkNanos(CHECK_INTERVAL.toNanos());
            }
        } while (!ends);
        client.record(new Believed(since, last, op));
        return last > since;
    }

    private void showLease(Op op) {
        long left = renewalWire.leftMillis(lock);
        if (left >= 0) {
            client.record(new LeaseShown(System.nanoTime(), op, left));
        }
    }

    /** Records that the loss was reported, or waits for a report in vain. */
    private void reportLoss(Op op) {
        if (client.make().reportsLosses()) {
            client.record(new Announced(System.nanoTime(), op, ReportChannel.LISTENER, Loss.EXPIRED));
        } else {
            long since = System.nanoTime();
            while (System.nanoTime() - since < IN_VAIN.toNanos()) {
                LockSupport.parkNanos(IN_VAIN.toNanos());
            }
        }
    }

    /** Releases one level. */
    void release() {
        levels--;
        if (levels == 0 && renewal != null && client.make().endsRenewal()) {
            renewal.cancel(false);
        }
        Op op = called(What.UNLOCK, 0);
        List<Long> reply = wire.eval(
                client.make().release(),
                List.of(lock),
                name,
                Long.toString(tenure),
                Integer.toString(levels),
                channel());
        // If the release was sent again, "not held" means that the first one was executed.
        boolean released = reply.get(0) == 1 || wire.wasSentAgain();
        returned(op, released ? Outcome.RELEASED : Outcome.LOST, 0, levels, released ? Loss.NONE : Loss.EXPIRED);
    }

    private String channel() {
        return "channel:" + lock;
    }

    private Op called(What what, long leaseMillis) {
        Op op = client.nextOp();
        long wait = what == What.LOCK ? -1 : 0;
        client.record(new Called(System.nanoTime(), op, what, By.BLOCKING, lock, false, name, wait, leaseMillis));
        return op;
    }

    private void returned(Op op, Outcome outcome, long token, int holds, Loss loss) {
        client.record(new Returned(System.nanoTime(), op, outcome, token, holds, loss));
    }

    @Override
    public void close() {
        if (subscriber != null) {
            subscriber.close();
        }
        wire.close();
        renewalWire.close();
    }
}

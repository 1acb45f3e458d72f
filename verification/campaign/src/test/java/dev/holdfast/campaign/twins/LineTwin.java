package dev.holdfast.campaign.twins;

import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Event.Called;
import dev.holdfast.campaign.history.Event.Returned;
import dev.holdfast.campaign.history.Loss;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * One owner of one twin lock with a line, which starts with the message of a grant. Used by one thread at a time. Its
 * operations are recorded in its client's journal.
 */
final class LineTwin implements AutoCloseable {
    /** The lease of a hold that a release grants. */
    static final Duration GRANTED = Duration.ofMillis(1450);

    /** Longer than a wake-up and the delivery of a grant may take together. */
    private static final Duration TRY_AGAIN = Duration.ofMillis(1300);

    private static final Duration NEVER = Duration.ofSeconds(3);

    private final TwinClient client;
    private final LineMake make;
    private final String name;
    private final String lock;
    private final TwinWire wire;
    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final AtomicInteger read = new AtomicInteger();
    private final StatefulRedisPubSubConnection<String, String> subscriber;
    private long tenure;
    private long validUntil;

    LineTwin(TwinClient client, LineMake make, String name, String lock) {
        this.client = client;
        this.make = make;
        this.name = name;
        this.lock = lock;
        this.wire = new TwinWire(client.redis());
        this.subscriber = client.redis().connectPubSub();
        subscriber.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String message) {
                messages.add(message);
            }
        });
        subscriber.sync().subscribe(channel() + name);
    }

    String name() {
        return name;
    }

    /** {@return how many messages its acquisitions have read} */
    int messagesRead() {
        return read.get();
    }

    /** Waits for the lock, with the usual lease. */
    Optional<Op> acquire() throws InterruptedException {
        return acquire(Duration.ZERO, () -> {});
    }

    /**
     * Waits for the lock.
     *
     * @param lease zero for the usual one
     * @param beforeJoining runs after the first attempt, and before the command that joins the line if there is one
     * @return empty if the lock was never granted: the call is then recorded as one that did not return
     */
    Optional<Op> acquire(Duration lease, Runnable beforeJoining) throws InterruptedException {
        Op op = called(What.LOCK, lease.toMillis());
        Duration requested = lease.isZero() ? TwinOwner.LEASE : lease;
        long end = System.nanoTime() + NEVER.toNanos();
        boolean first = true;
        while (System.nanoTime() < end) {
            tenure++;
            long sent = System.nanoTime();
            List<Long> reply = eval(make.acquire(), requested.toMillis(), make.joinsAtOnce() ? "1" : "0");
            if (reply.get(0) == 1) {
                return Optional.of(granted(op, sent + requested.toNanos()));
            }
            if (first) {
                beforeJoining.run();
            }
            if (!make.joinsAtOnce()) {
                eval(make.join(), requested.toMillis(), "1");
            }
            first = false;
            long left = TimeUnit.MILLISECONDS.toNanos(Math.max(1, reply.get(1)));
            long again = make.triesAgain() ? sent + Math.min(left, TRY_AGAIN.toNanos()) : end;
            if (isGrantedBefore(again, sent)) {
                return Optional.of(granted(op, sent + GRANTED.toNanos()));
            }
        }
        return Optional.empty();
    }

    /** Whether a message grants the lock before this time, and at least half of the lease is left since the attempt. */
    private boolean isGrantedBefore(long time, long sent) throws InterruptedException {
        while (true) {
            String message = messages.poll(time - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (message == null) {
                return false;
            }
            boolean granted = make.grants(message, name, tenure);
            read.incrementAndGet();
            if (granted) {
                return System.nanoTime() - sent < GRANTED.toNanos() / 2;
            }
        }
    }

    private Op granted(Op op, long until) {
        validUntil = until - TwinOwner.DRIFT.toNanos();
        client.record(new Returned(System.nanoTime(), op, Outcome.GRANTED, 0, 1, Loss.NONE));
        return op;
    }

    /** Works while it holds the lock, until the condition is true or the hold is invalid. */
    void work(Op op, BooleanSupplier done) {
        client.work(op, () -> validUntil, done);
    }

    void work(Op op, Duration time) {
        long end = System.nanoTime() + time.toNanos();
        work(op, () -> System.nanoTime() >= end);
    }

    void release() {
        Op op = called(What.UNLOCK, 0);
        boolean released = eval(make.release(), GRANTED.toMillis(), channel()).get(0) == 1;
        client.record(new Returned(
                System.nanoTime(),
                op,
                released ? Outcome.RELEASED : Outcome.LOST,
                0,
                0,
                released ? Loss.NONE : Loss.EXPIRED));
    }

    private List<Long> eval(String script, long millis, String last) {
        return wire.eval(script, List.of(lock), name, Long.toString(tenure), Long.toString(millis), last);
    }

    private Op called(What what, long leaseMillis) {
        Op op = client.nextOp();
        long wait = what == What.LOCK ? -1 : 0;
        client.record(new Called(System.nanoTime(), op, what, By.BLOCKING, lock, false, name, wait, leaseMillis));
        return op;
    }

    private String channel() {
        return "grants:" + lock + ":";
    }

    @Override
    public void close() {
        subscriber.close();
        wire.close();
    }
}

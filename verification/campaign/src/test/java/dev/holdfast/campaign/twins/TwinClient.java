package dev.holdfast.campaign.twins;

import dev.holdfast.campaign.history.Event;
import dev.holdfast.campaign.history.Event.Believed;
import dev.holdfast.campaign.history.Event.Closing;
import dev.holdfast.campaign.history.Event.Inspected;
import dev.holdfast.campaign.history.Event.Started;
import dev.holdfast.campaign.history.Event.StoodStill;
import dev.holdfast.campaign.history.Journal;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.testkit.StallDetector;
import io.lettuce.core.RedisClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** A client of twin locks, which has a journal like a process. */
final class TwinClient implements AutoCloseable {
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(5);

    private final String name;
    private final Make make;
    private final Journal journal;
    private final RedisClient redis;
    private final StallDetector stalls;
    private final ScheduledThreadPoolExecutor renewals =
            new ScheduledThreadPoolExecutor(1, Executors.defaultThreadFactory());
    private final AtomicLong operations = new AtomicLong();
    private final AtomicLong owners = new AtomicLong();
    private final Queue<TwinOwner> all = new ConcurrentLinkedQueue<>();

    TwinClient(String name, Make make, String uri, Path directory) {
        this.name = name;
        this.make = make;
        this.journal = Journal.open(directory.resolve(name));
        this.redis = RedisClient.create(uri);
        renewals.setRemoveOnCancelPolicy(true);
        record(new Started(System.nanoTime(), name));
        this.stalls = StallDetector.start(
                Duration.ofMillis(150), (since, until) -> record(new StoodStill(since, until, name)));
    }

    /** {@return a new owner, for one lock and one thread at a time} */
    TwinOwner owner(String lock) {
        TwinOwner owner = new TwinOwner(this, name + ":" + owners.incrementAndGet(), lock);
        all.add(owner);
        return owner;
    }

    String name() {
        return name;
    }

    Make make() {
        return make;
    }

    RedisClient redis() {
        return redis;
    }

    ScheduledThreadPoolExecutor renewals() {
        return renewals;
    }

    Op nextOp() {
        return new Op(name, operations.incrementAndGet());
    }

    void record(Event event) {
        journal.write(event);
    }

    /** Considers a hold valid until its end, or until the condition is true, and records that. */
    void work(Op op, LongSupplier validUntil, BooleanSupplier done) {
        long since = System.nanoTime();
        long last = since;
        while (System.nanoTime() < validUntil.getAsLong() && !done.getAsBoolean()) {
            LockSupport.parkNanos(CHECK_INTERVAL.toNanos());
            long now = System.nanoTime();
            last = now < validUntil.getAsLong() ? now : last;
        }
        record(new Believed(since, last, op));
    }

    /** Closes everything, and records what is left. */
    @Override
    public void close() {
        record(new Closing(System.nanoTime(), name));
        all.forEach(TwinOwner::close);
        int left = renewals.getQueue().size();
        renewals.shutdownNow();
        redis.shutdown();
        stalls.close();
        record(new Inspected(System.nanoTime(), name, left == 0 ? List.of() : List.of(left + " renewals")));
        journal.close();
    }
}

package dev.holdfast.campaign.worker;

import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Event;
import dev.holdfast.campaign.history.Journal;
import dev.holdfast.campaign.history.Loss;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Told;
import dev.holdfast.campaign.history.What;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** What one process does and sees in a round, on its way to the journal. Safe for use by many threads. */
final class Diary implements AutoCloseable {
    private static final long FOR_EVER = -1;

    /**
     * Which lock is asked for.
     *
     * @param fenced whether the fenced one of that name
     */
    record Name(String lock, boolean fenced) {
        static Name plain(String lock) {
            return new Name(lock, false);
        }
    }

    private final Journal journal;
    private final String process;
    private final AtomicLong lastNumber = new AtomicLong();
    /** In which ways it has been told of each acquisition that its lease is lost. */
    private final Map<Op, Set<Told>> told = new ConcurrentHashMap<>();

    private final Set<Op> seenLost = ConcurrentHashMap.newKeySet();

    Diary(Journal journal, String process) {
        this.journal = journal;
        this.process = process;
        write(new Event.Started(System.nanoTime(), process));
    }

    /** {@return a number that no operation of this process has had} */
    long nextNumber() {
        return lastNumber.incrementAndGet();
    }

    /** Somebody asks for a lock, and waits without end. */
    Call called(long number, What what, By by, Name name, String owner, Optional<Duration> lease) {
        return called(number, what, by, name, owner, FOR_EVER, lease);
    }

    /** Somebody asks for a lock, and waits for so long. */
    Call called(long number, What what, By by, Name name, String owner, Duration wait, Optional<Duration> lease) {
        return called(number, what, by, name, owner, wait.toMillis(), lease);
    }

    private Call called(
            long number, What what, By by, Name name, String owner, long waitMillis, Optional<Duration> lease) {
        Op op = new Op(process, number);
        long leaseMillis = lease.map(Duration::toMillis).orElse(0L);
        long at = System.nanoTime();
        write(new Event.Called(at, op, what, by, name.lock(), name.fenced(), owner, waitMillis, leaseMillis));
        return new Call(this, op, at);
    }

    /** Redis keeps the lock for so long, as it said to this call; empty if its key has no expiry. */
    void leaseShown(Op op, Optional<Duration> left) {
        long leaseMillis = left.map(Duration::toMillis).orElse(Event.LeaseShown.FOR_EVER);
        write(new Event.LeaseShown(System.nanoTime(), op, leaseMillis));
    }

    /** The hold of this acquisition was found valid at each of many looks. */
    void believed(Op op, long since, long until) {
        write(new Event.Believed(since, until, op));
    }

    /** The lease of this acquisition was renewed at some time after {@code since}. */
    void confirmed(Op op, long since, Duration lease) {
        write(new Event.Confirmed(since, System.nanoTime(), op, lease.toMillis()));
    }

    void atRisk(Op op) {
        write(new Event.AtRisk(System.nanoTime(), op));
    }

    /** The holder is told that the lease of this acquisition is lost; the first time counts, in each way. */
    void announced(Op op, Told through, Loss loss) {
        long at = System.nanoTime();
        if (told.computeIfAbsent(op, unused -> ConcurrentHashMap.newKeySet()).add(through)) {
            write(new Event.Announced(at, op, through, loss));
        }
    }

    /** {@return whether this holder has been told in all these ways that the lease of its acquisition is lost} */
    boolean wasAnnounced(Op op, Set<Told> ways) {
        return told.getOrDefault(op, Set.of()).containsAll(ways);
    }

    /** A look has found that the hold of this acquisition is not valid; the first counts. */
    void seenLost(Op op) {
        long at = System.nanoTime();
        if (seenLost.add(op)) {
            write(new Event.SeenLost(at, op));
        }
    }

    /** The resource has taken a write, and counts so many by now; or it has refused it, which is 0. */
    void wrote(Op op, long since, String lock, long token, long sequence) {
        write(new Event.Wrote(since, System.nanoTime(), op, lock, token, sequence > 0, sequence));
    }

    void closing() {
        write(new Event.Closing(System.nanoTime(), process));
    }

    /** Everything of this process was closed, and this was left. */
    void inspected(List<String> left) {
        write(new Event.Inspected(System.nanoTime(), process, left));
    }

    void write(Event event) {
        journal.write(event);
    }

    @Override
    public void close() {
        journal.close();
    }
}

package dev.holdfast.campaign.worker;

import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Event;
import dev.holdfast.campaign.history.Journal;
import dev.holdfast.campaign.history.Loss;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.ReportChannel;
import dev.holdfast.campaign.history.What;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Records what one process does and observes in a round, in its journal. Thread-safe. */
final class Diary implements AutoCloseable {
    private static final long FOR_EVER = -1;

    /**
     * The lock that is acquired.
     *
     * @param fenced whether it is the fenced lock of that name
     */
    record Name(String lock, boolean fenced) {
        static Name plain(String lock) {
            return new Name(lock, false);
        }
    }

    private final Journal journal;
    private final String process;
    private final AtomicLong lastNumber = new AtomicLong();
    /** The channels through which the loss of each acquisition's hold was reported. */
    private final Map<Op, Set<ReportChannel>> reported = new ConcurrentHashMap<>();

    private volatile boolean closing;

    private final Set<Op> seenLost = ConcurrentHashMap.newKeySet();

    Diary(Journal journal, String process) {
        this.journal = journal;
        this.process = process;
        write(new Event.Started(System.nanoTime(), process));
    }

    /** {@return a number that no other operation of this process has} */
    long nextNumber() {
        return lastNumber.incrementAndGet();
    }

    /** Records a call that has no limit on its wait. */
    Call called(long number, What what, By by, Name name, String owner, Optional<Duration> lease) {
        return called(number, what, by, name, owner, FOR_EVER, lease);
    }

    /** Records a call with a limit on its wait. */
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

    /** Records how many permits of a semaphore with this limit an acquisition requests. */
    void requested(Op op, int permits, int limit) {
        write(new Event.Requested(System.nanoTime(), op, permits, limit));
    }

    /** Records whether an acquisition waits for room in a buffer, or for an item. */
    void waitsFor(Op op, boolean room) {
        write(new Event.WaitsFor(System.nanoTime(), op, room));
    }

    /** Records that a holder has put an item into a buffer, or taken one out of it, which has these items since. */
    void exchanged(Op op, long since, String lock, Buffer buffer, int capacity) {
        write(new Event.Exchanged(since, System.nanoTime(), op, lock, buffer.put(), buffer.taken(), capacity));
    }

    /** Records the number of the permits that an acquisition was granted. */
    void numbered(Op op, int number) {
        write(new Event.Numbered(System.nanoTime(), op, number));
    }

    /** Records the lease that Redis showed to this inspection; empty if the key has no expiry. */
    void leaseShown(Op op, Optional<Duration> left) {
        long leaseMillis = left.map(Duration::toMillis).orElse(Event.LeaseShown.FOR_EVER);
        write(new Event.LeaseShown(System.nanoTime(), op, leaseMillis));
    }

    /** Records that every check between two moments found the hold of this acquisition valid. */
    void believed(Op op, long since, long until) {
        write(new Event.Believed(since, until, op));
    }

    /** Records that the lease of this acquisition's hold was renewed at some time after {@code since}. */
    void confirmed(Op op, long since, Duration lease) {
        write(new Event.Confirmed(since, System.nanoTime(), op, lease.toMillis()));
    }

    void atRisk(Op op) {
        write(new Event.AtRisk(System.nanoTime(), op));
    }

    /**
     * Records that the loss of this acquisition's hold was reported; only the first report through each channel counts.
     */
    void announced(Op op, ReportChannel through, Loss loss) {
        long at = System.nanoTime();
        if (reported.computeIfAbsent(op, unused -> ConcurrentHashMap.newKeySet())
                .add(through)) {
            write(new Event.Announced(at, op, through, loss));
        }
    }

    /** {@return whether the loss of this acquisition's hold was reported through all these channels} */
    boolean wasAnnounced(Op op, Set<ReportChannel> channels) {
        return reported.getOrDefault(op, Set.of()).containsAll(channels);
    }

    /** Records that a check found the hold of this acquisition invalid; only the first one counts. */
    void seenLost(Op op) {
        long at = System.nanoTime();
        if (seenLost.add(op)) {
            write(new Event.SeenLost(at, op));
        }
    }

    /**
     * Records a write. {@code sequence} is the number of writes that the resource has accepted, or 0 if it refused this
     * one.
     */
    void wrote(Op op, long since, String lock, long token, long sequence) {
        write(new Event.Wrote(since, System.nanoTime(), op, lock, token, sequence > 0, sequence));
    }

    /** Records that the clients of this process are about to be closed. */
    void closing() {
        closing = true;
        write(new Event.Closing(System.nanoTime(), process));
    }

    /** {@return whether the clients of this process are closed, or about to be} */
    boolean isClosing() {
        return closing;
    }

    /** Records what was left after everything of this process was closed. */
    void inspected(List<String> left) {
        write(new Event.Inspected(System.nanoTime(), process, left));
    }

    /** Records that this process did not run between two moments. */
    void stoodStill(long since, long until) {
        write(new Event.StoodStill(since, until, process));
    }

    void write(Event event) {
        journal.write(event);
    }

    @Override
    public void close() {
        journal.close();
    }
}

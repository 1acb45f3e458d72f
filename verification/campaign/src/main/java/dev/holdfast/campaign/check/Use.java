package dev.holdfast.campaign.check;

import dev.holdfast.campaign.check.Times.Time;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.Outcome;
import java.util.List;

/**
 * The use of one lock, for the rules about locks that are free: the times in which it can have been held, by the
 * definition in {@link WakeUps}, and the moments around acquisitions that were abandoned while no fault lasted.
 */
final class Use {
    /** The number of moments in {@link Terms#prompt}. */
    private static final int MOMENTS = 10;

    private final Terms terms;
    private final Windows windows;
    private final long places;
    private final Times taken = new Times();
    private final Times moments = new Times();

    private Use(Terms terms, Windows windows, long places) {
        this.terms = terms;
        this.windows = windows;
        this.places = places;
    }

    /** {@return the use of a lock, with these operations} */
    static Use of(String lock, List<Operation> operations, Terms terms, Windows windows, Spans spans) {
        long places = operations.stream()
                .map(operation -> operation.op().process())
                .distinct()
                .count();
        Use use = new Use(terms, windows, places);
        use.add(lock, operations, spans);
        return use;
    }

    /**
     * {@return the use of a read-write lock by those that exclude readers} They do so while they wait, too. So do readers of
     * another library.
     */
    static Use byWriters(String lock, List<Operation> operations, Terms terms, Windows windows, Spans spans) {
        Use use = new Use(terms, windows, 0);
        spans.of(lock).stream().filter(span -> excludes(span.grant())).forEach(use::addHeld);
        List<Operation> writers = operations.stream()
                .filter(operation -> operation.called().what().acquires() && excludes(operation))
                .toList();
        writers.forEach(writer -> use.addWith(writer.called().at(), writer.end()));
        use.addOthers(lock, writers);
        return use;
    }

    private static boolean excludes(Operation operation) {
        return !operation.reads() || operation.called().by() == By.REDISSON;
    }

    private void add(String lock, List<Operation> operations, Spans spans) {
        spans.of(lock).forEach(this::addHeld);
        addOthers(lock, operations);
    }

    private void addOthers(String lock, List<Operation> operations) {
        operations.stream()
                .filter(this::wasGivenUp)
                .forEach(operation -> addGivenUp(GivenUp.of(operation, terms, windows)));
        windows.all().forEach(window -> addWith(window.since(), window.until()));
        windows.losses(lock)
                .forEach(loss -> addWith(
                        loss.since(),
                        loss.at() + (loss.certain() ? terms.lease().toNanos() : terms.mendingNanos())));
    }

    /** {@return the parts of the time between these two in which the lock was free, whichever owner had abandoned it} */
    List<Time> freeWithin(long from, long to) {
        return taken.leftOf(from, to);
    }

    /** {@return whether the lock was free all the time between these two} */
    boolean isFree(long from, long to) {
        return freeWithin(from, to).stream().anyMatch(time -> freeNanos(time) >= to - from);
    }

    /** {@return for how long the lock was free in this time, without the moments around abandoned acquisitions} */
    long freeNanos(Time free) {
        return moments.leftOf(free.since(), free.until()).stream()
                .mapToLong(time -> time.until() - time.since())
                .sum();
    }

    private void addHeld(Span span) {
        boolean joint = span.grant().called().by() == By.MULTI;
        long since = joint
                ? span.grant().called().at()
                : span.grant().end() - terms.prompt().toNanos();
        if (span.wasReleased()) {
            taken.add(since, span.left() + unwatchedNanos(span));
            return;
        }
        if (span.wasSent()) {
            long prompt = span.left() + terms.prompt().toNanos();
            taken.add(since, windows.undisturbed(span.process(), span.releasing(), prompt, terms.mendingNanos()));
            return;
        }
        if (span.missedInFailover() != Operation.NEVER) {
            taken.add(since, span.missedInFailover());
            return;
        }
        long kept = Math.min(span.left(), windows.gone(span.process()));
        taken.add(since, kept == Operation.NEVER ? kept : withLease(Math.max(kept, span.latestEnd(terms))));
    }

    /**
     * {@return for how long no client may attempt to acquire the lock after it was released} A delayed close ends without
     * a message, and the line with it. If the client that is to attempt then has left the line, each other one attempts
     * after a command timeout for each place before its own. That is assumed only if the delay was long enough for it.
     */
    private long unwatchedNanos(Span span) {
        boolean unwatched = terms.lined()
                && span.keptBusyBy()
                        .filter(close ->
                                terms.granted().toMillis() < close.called().leaseMillis())
                        .isPresent();
        return unwatched ? places * terms.granted().toNanos() : 0;
    }

    private long withLease(long time) {
        return time
                + terms.lease().toNanos()
                + terms.answer().toNanos()
                + terms.prompt().toNanos();
    }

    /** Whether this acquisition can have taken the lock without a caller. One that has not returned yet waits. */
    private boolean wasGivenUp(Operation operation) {
        return GivenUp.is(operation)
                && (operation.returned() != null
                        || windows.killed(operation.op().process()) != Operation.NEVER);
    }

    private void addGivenUp(GivenUp orphan) {
        Operation operation = orphan.operation();
        if (orphan.calm()) {
            long moment = terms.prompt().toNanos() / MOMENTS;
            moments.add(operation.end() - moment, operation.end() + moment);
        } else {
            addWith(since(operation), orphan.until());
        }
    }

    /**
     * A failed acquisition, or one of several locks, may have had the lock long before it ended; any other one had it at
     * the end, if at all.
     */
    private long since(Operation givenUp) {
        boolean joint = givenUp.called().by() == By.MULTI;
        if (joint || givenUp.is(Outcome.FAILED) || givenUp.is(Outcome.CLOSED)) {
            return givenUp.called().at();
        }
        long end = Math.min(givenUp.end(), windows.killed(givenUp.op().process()));
        return end - terms.prompt().toNanos();
    }

    /** A waiter that is woken at the end of it, or could receive no message during it, needs some time to acquire. */
    private void addWith(long since, long until) {
        taken.add(
                since, until == Operation.NEVER ? until : until + terms.prompt().toNanos());
    }
}

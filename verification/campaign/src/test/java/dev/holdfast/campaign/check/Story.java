package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Event;
import dev.holdfast.campaign.history.Event.Announced;
import dev.holdfast.campaign.history.Event.AtRisk;
import dev.holdfast.campaign.history.Event.Believed;
import dev.holdfast.campaign.history.Event.Called;
import dev.holdfast.campaign.history.Event.Closing;
import dev.holdfast.campaign.history.Event.Confirmed;
import dev.holdfast.campaign.history.Event.DataLost;
import dev.holdfast.campaign.history.Event.Exchanged;
import dev.holdfast.campaign.history.Event.FaultBegan;
import dev.holdfast.campaign.history.Event.FaultEnded;
import dev.holdfast.campaign.history.Event.Numbered;
import dev.holdfast.campaign.history.Event.Requested;
import dev.holdfast.campaign.history.Event.Returned;
import dev.holdfast.campaign.history.Event.SeenLost;
import dev.holdfast.campaign.history.Event.Started;
import dev.holdfast.campaign.history.Event.StoodStill;
import dev.holdfast.campaign.history.Event.WaitsFor;
import dev.holdfast.campaign.history.Event.Wrote;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Loss;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.ReportChannel;
import dev.holdfast.campaign.history.What;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A history of one lock, or of several, for tests, with times in milliseconds. An owner {@code a:1} belongs to client {@code a} in a
 * process {@code a}.
 */
final class Story {
    static final String LOCK = "lock";

    /**
     * Leases of 300 ms, also if a release grants them, with a drift of 3, 50 ms for an answer, 20 ms for what is prompt, 200 ms
     * for a turn.
     */
    static final Terms TERMS = new Terms(
            Duration.ofMillis(300),
            Duration.ofMillis(300),
            Duration.ofMillis(3),
            Duration.ofMillis(50),
            Duration.ofMillis(20),
            Duration.ofMillis(200),
            Duration.ofMillis(40),
            true,
            false,
            Set.of());

    /** The same for clients that cannot all join the line. */
    static final Terms UNLINED = terms(TERMS.outlasts(), false, Set.of());

    /** The same for a fair lock. */
    static final Terms FAIR = terms(TERMS.outlasts(), true, true, Set.of());

    /** {@return the same, with these exceptions} */
    static Terms terms(Duration outlasts, boolean lined, Set<String> refused) {
        return terms(outlasts, lined, false, refused);
    }

    private static Terms terms(Duration outlasts, boolean lined, boolean fair, Set<String> refused) {
        return new Terms(
                TERMS.lease(),
                TERMS.granted(),
                TERMS.drift(),
                TERMS.answer(),
                TERMS.prompt(),
                TERMS.turn(),
                outlasts,
                lined,
                fair,
                refused);
    }

    private final List<Event> events = new ArrayList<>();
    private long number;
    private int faults;
    private long leaseMillis;
    private By by = By.BLOCKING;
    private boolean fenced;
    private String lock = LOCK;

    History history() {
        return new History(events);
    }

    Verdict judgedBy(Checker checker) {
        return checker.check(history());
    }

    static long nanos(long millis) {
        return millis * 1_000_000;
    }

    /** The following calls request this lease; 0 for one that is renewed. */
    Story lease(long millis) {
        leaseMillis = millis;
        return this;
    }

    /** The following calls use the fenced lock, or the plain one. */
    Story fenced(boolean value) {
        fenced = value;
        return this;
    }

    /** The following calls are about this lock. */
    Story at(String name) {
        lock = name;
        return this;
    }

    /** The following calls use this API. */
    Story by(By manner) {
        by = manner;
        return this;
    }

    /** Grants a first level, without a token. */
    Op lock(String owner, long from, long to) {
        return grant(owner, from, to, 0, 1);
    }

    Op grant(String owner, long from, long to, long token, int holds) {
        Op op = calls(owner, What.LOCK, from, -1);
        returns(op, to, Outcome.GRANTED, token, holds);
        return op;
    }

    Op refused(String owner, long from, long to) {
        return call(owner, What.TRY, from, to, Outcome.REFUSED);
    }

    /** A wait with this limit is refused. */
    Op waited(String owner, long from, long limit, long to) {
        Op op = calls(owner, What.TRY_WAIT, from, limit - from);
        returns(op, to, Outcome.REFUSED, 0, 0);
        return op;
    }

    /** Releases the last level. */
    Op unlock(String owner, long from, long to) {
        return call(owner, What.UNLOCK, from, to, Outcome.RELEASED);
    }

    Op call(String owner, What what, long from, long to, Outcome outcome) {
        Op op = calls(owner, what, from, what == What.LOCK ? -1 : 0);
        returns(op, to, outcome, 0, 0);
        return op;
    }

    /** Closes a hold with a delay, which is recorded as the lease. */
    Op closeAfter(String owner, long from, long to, long delay, Outcome outcome) {
        Op op = new Op(Operation.clientOf(owner), ++number);
        events.add(new Called(nanos(from), op, What.CLOSE_AFTER, by, lock, fenced, owner, -1, delay));
        returns(op, to, outcome, 0, 0);
        return op;
    }

    /** Begins a call, which does not return yet. */
    Op calls(String owner, What what, long from, long waitMillis) {
        Op op = new Op(Operation.clientOf(owner), ++number);
        events.add(new Called(nanos(from), op, what, by, lock, fenced, owner, waitMillis, leaseMillis));
        return op;
    }

    /** Begins a request for permits of a semaphore with this limit. */
    Op permits(String owner, What what, long from, int permits, int limit) {
        Op op = calls(owner, what, from, what == What.LOCK ? -1 : 0);
        events.add(new Requested(nanos(from), op, permits, limit));
        return op;
    }

    /** Begins a wait for a condition with this limit: the lock is released, and is to be acquired again. */
    Op awaits(String owner, long from, long limit, boolean room) {
        returns(calls(owner, What.UNLOCK, from, 0), from, Outcome.SENT, 0, 0);
        Op op = calls(owner, What.REGAIN, from, limit - from);
        events.add(new WaitsFor(nanos(from), op, room));
        return op;
    }

    /** A holder changes a buffer for three items, which has these numbers then. */
    void exchanged(Op op, long since, long at, long put, long taken) {
        events.add(new Exchanged(nanos(since), nanos(at), op, lock, put, taken, 3));
    }

    void numbered(Op op, long at, int number) {
        events.add(new Numbered(nanos(at), op, number));
    }

    void returns(Op op, long to, Outcome outcome, long token, int holds) {
        events.add(new Returned(nanos(to), op, outcome, token, holds, Loss.NONE));
    }

    void returnsLost(Op op, long to, Loss loss) {
        events.add(new Returned(nanos(to), op, Outcome.LOST, 0, 0, loss));
    }

    /** The holder inspects the lock, and Redis shows it with this lease left. */
    void shown(String owner, long from, long to, long left) {
        Op op = calls(owner, What.INSPECT, from, 0);
        events.add(new Event.LeaseShown(nanos(to), op, left));
        returns(op, to, Outcome.SHOWN, 0, 1);
    }

    void believed(Op op, long from, long to) {
        events.add(new Believed(nanos(from), nanos(to), op));
    }

    void confirmed(Op op, long since, long at) {
        events.add(new Confirmed(nanos(since), nanos(at), op, 0));
    }

    /** Reports a loss to the listener. */
    void announced(Op op, long at, Loss loss) {
        announced(op, at, ReportChannel.LISTENER, loss);
    }

    void announced(Op op, long at, ReportChannel through, Loss loss) {
        events.add(new Announced(nanos(at), op, through, loss));
    }

    void seenLost(Op op, long at) {
        events.add(new SeenLost(nanos(at), op));
    }

    void atRisk(Op op, long at) {
        events.add(new AtRisk(nanos(at), op));
    }

    void wrote(Op op, long since, long at, long token, long sequence) {
        events.add(new Wrote(nanos(since), nanos(at), op, LOCK, token, sequence > 0, sequence));
    }

    void fault(Fault fault, String target, long from, long to) {
        faults++;
        events.add(new FaultBegan(nanos(from), faults, fault, target));
        events.add(new FaultEnded(nanos(to), faults));
    }

    void faultWithoutEnd(Fault fault, String target, long from) {
        faults++;
        events.add(new FaultBegan(nanos(from), faults, fault, target));
    }

    void stoodStill(String process, long from, long to) {
        events.add(new StoodStill(nanos(from), nanos(to), process));
    }

    void dataLost(long from, long to) {
        events.add(new DataLost(nanos(from), nanos(to), DataLost.ALL, false, true));
    }

    /** Some locks may be lost, or all. */
    void dataPerhapsLost(long from, long to) {
        events.add(new DataLost(nanos(from), nanos(to), DataLost.ALL, false, false));
    }

    /** Deletes the lock's key; the server goes on. */
    void keyLost(long from, long to) {
        keyLost(LOCK, from, to);
    }

    /** Deletes the key of this lock. */
    void keyLost(String name, long from, long to) {
        events.add(new DataLost(nanos(from), nanos(to), name, false, true));
    }

    void tokensLost(long from, long to) {
        events.add(new DataLost(nanos(from), nanos(to), LOCK, true, true));
    }

    void started(String process, long at) {
        events.add(new Started(nanos(at), process));
    }

    void closing(String process, long at) {
        events.add(new Closing(nanos(at), process));
    }

    void inspected(String where, long at, String... left) {
        events.add(new Event.Inspected(nanos(at), where, List.of(left)));
    }
}

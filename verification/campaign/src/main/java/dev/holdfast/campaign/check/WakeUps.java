package dev.holdfast.campaign.check;

import dev.holdfast.campaign.check.Times.Time;
import dev.holdfast.campaign.history.Event.Called;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.Outcome;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * No waiter sleeps beside a free lock: while no fault lasts, no call waits for longer than {@link Terms#prompt} while
 * no owner can have the lock. Nor does it sleep beside a lock that others acquire again and again: {@link PassedOver}.
 *
 * <p>An owner can have the lock from shortly before its grant returned until its release has returned; if that is not
 * awaited, for {@link Terms#prompt} longer; after a release of unknown outcome, or if the holder ended without one, for
 * a lease longer, unless the new master was found not to have it. An {@linkplain GivenUp abandoned} acquisition can have it for as long as anything of it can be left.
 * <em>Shortly</em> is {@link Terms#prompt}, so a grant that is delivered later than that is a violation too. During a
 * fault, and for {@link Terms#prompt} after it, the lock counts as taken; after the deletion of a key, of which no
 * waiter is notified, for a lease longer. After a failover it may be kept by a hold that was released, but for no longer
 * than its client needs to repeat the release at the new master.
 *
 * <p>Callers abandon acquisitions all the time. If no fault lasted, one that did so accounts only for a moment around
 * the end of its call, so that many of them do not hide that the lock was free for long.
 */
final class WakeUps implements Checker {
    /** The number of moments in {@link Terms#prompt}. */
    private static final int MOMENTS = 10;

    private final Terms terms;

    WakeUps(Terms terms) {
        this.terms = terms;
    }

    /** The use of a lock: the times in which it can have been held, and the moments around abandoned acquisitions. */
    private record Use(Times taken, Times moments) {}

    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("no waiter sleeps beside a free lock");
        Windows windows = new Windows(history);
        Spans spans = new Spans(history, windows);
        Map<String, List<Operation>> byLock =
                history.operations().stream().collect(Collectors.groupingBy(Operation::lock));
        byLock.forEach((lock, operations) -> {
            Use use = use(lock, operations, windows, spans);
            PassedOver passedOver = new PassedOver(terms, lock, windows, spans);
            for (Operation operation : operations) {
                if (operation.called().waitMillis() != 0
                        && operation.called().what().acquires()) {
                    draft.judged(1);
                    long until = Math.min(
                            Math.min(operation.end(), history.end()),
                            windows.killed(operation.op().process()));
                    judge(operation, until, use, draft);
                    passedOver.judge(operation, until, draft);
                }
            }
        });
        return draft.verdict();
    }

    private Use use(String lock, List<Operation> operations, Windows windows, Spans spans) {
        Use use = new Use(new Times(), new Times());
        spans.of(lock).forEach(span -> addHeld(span, windows, use.taken()));
        operations.stream()
                .filter(operation -> wasGivenUp(operation, windows))
                .forEach(operation -> addGivenUp(GivenUp.of(operation, terms, windows), windows, use));
        windows.all().forEach(window -> addWith(window.since(), window.until(), use.taken()));
        windows.losses(lock)
                .forEach(loss -> addWith(
                        loss.since(),
                        loss.at() + (loss.certain() ? terms.lease().toNanos() : terms.mendingNanos()),
                        use.taken()));
        return use;
    }

    private void judge(Operation waiter, long until, Use use, Verdict.Draft draft) {
        Called called = waiter.called();
        for (Time free : use.taken().leftOf(called.at(), until)) {
            long slept = use.moments().leftOf(free.since(), free.until()).stream()
                    .mapToLong(time -> time.until() - time.since())
                    .sum();
            if (slept > terms.prompt().toNanos()) {
                draft.violated(
                        free.since(),
                        called.lock(),
                        called.owner() + " (" + called.op() + ") waited for " + slept
                                + " ns while no owner had the lock");
            }
        }
    }

    private void addHeld(Span span, Windows windows, Times taken) {
        long since = span.grant().end() - terms.prompt().toNanos();
        if (span.wasReleased()) {
            taken.add(since, span.left());
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

    private long withLease(long time) {
        return time
                + terms.lease().toNanos()
                + terms.answer().toNanos()
                + terms.prompt().toNanos();
    }

    /** Whether this acquisition can have taken the lock without a caller. One that has not returned yet waits. */
    private static boolean wasGivenUp(Operation operation, Windows windows) {
        return GivenUp.is(operation)
                && (operation.returned() != null
                        || windows.killed(operation.op().process()) != Operation.NEVER);
    }

    private void addGivenUp(GivenUp orphan, Windows windows, Use use) {
        Operation operation = orphan.operation();
        if (orphan.calm()) {
            long moment = terms.prompt().toNanos() / MOMENTS;
            use.moments().add(operation.end() - moment, operation.end() + moment);
        } else {
            addWith(since(operation, windows), orphan.until(), use.taken());
        }
    }

    /** A failed acquisition may have had the lock long before it failed; any other one had it at the end, if at all. */
    private long since(Operation givenUp, Windows windows) {
        if (givenUp.is(Outcome.FAILED) || givenUp.is(Outcome.CLOSED)) {
            return givenUp.called().at();
        }
        long end = Math.min(givenUp.end(), windows.killed(givenUp.op().process()));
        return end - terms.prompt().toNanos();
    }

    /** A waiter that is woken at the end of it, or could receive no message during it, needs some time to acquire. */
    private void addWith(long since, long until, Times taken) {
        taken.add(
                since, until == Operation.NEVER ? until : until + terms.prompt().toNanos());
    }
}

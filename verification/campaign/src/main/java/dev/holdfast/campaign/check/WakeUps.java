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
 * Nobody sleeps beside a free lock: while nothing is broken, no call waits for longer than {@link Terms#prompt} while nobody
 * can have the lock. Nor does anybody beside one that others take again and again: {@link PassedOver}.
 *
 * <p>Somebody can have it from shortly before a grant returned until its release has; one that nobody
 * awaits, for what is prompt; a release of unknown outcome, and a
 * holder that went away without one, for a lease more; a call that was {@linkplain GivenUp given up}, for as long as something
 * can be left of it. <em>Shortly</em> is {@link Terms#prompt}, so a grant that was delivered that late is a violation too.
 * Faults take the lock's time from their beginnings until as long after their ends; the deletion of a key, of which nobody
 * is told, until the lease is over.
 *
 * <p>Callers give up all the time. Where nothing was broken, one that did takes no more than a moment from the time that the
 * lock was free; so those of many do not hide that it was free for long.
 */
final class WakeUps implements Checker {
    /** How many of them are as long as what is prompt. */
    private static final int MOMENTS = 10;

    private final Terms terms;

    WakeUps(Terms terms) {
        this.terms = terms;
    }

    /** What a lock was, as far as its time is concerned. */
    private record Use(Times taken, Times moments) {}

    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("nobody sleeps beside a free lock");
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
                .forEach(loss -> addWith(loss.since(), loss.at() + terms.lease().toNanos(), use.taken()));
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
                                + " ns while nobody had the lock");
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
        long kept = Math.min(span.left(), windows.gone(span.process()));
        taken.add(since, kept == Operation.NEVER ? kept : withLease(Math.max(kept, span.latestEnd(terms))));
    }

    private long withLease(long time) {
        return time
                + terms.lease().toNanos()
                + terms.answer().toNanos()
                + terms.prompt().toNanos();
    }

    /** Whether this can have taken the lock for somebody who does not know. One that only has not come back yet waits. */
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

    /** One that failed may have had the lock long before it was known; any other knew until it was given up. */
    private long since(Operation givenUp, Windows windows) {
        if (givenUp.is(Outcome.FAILED) || givenUp.is(Outcome.CLOSED)) {
            return givenUp.called().at();
        }
        long end = Math.min(givenUp.end(), windows.killed(givenUp.op().process()));
        return end - terms.prompt().toNanos();
    }

    /** Whoever was woken at the end of it, or heard of nothing meanwhile, has a while to come. */
    private void addWith(long since, long until, Times taken) {
        taken.add(
                since, until == Operation.NEVER ? until : until + terms.prompt().toNanos());
    }
}

package dev.holdfast.campaign.check;

import dev.holdfast.campaign.check.Times.Time;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Event.Called;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.What;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * No waiter sleeps beside a free lock: while no fault lasts, no call waits for longer than {@link Terms#prompt} while
 * no owner can have the lock. Nor does it sleep beside a lock that others acquire again and again: {@link PassedOver},
 * and for read-write locks {@link Phases}.
 *
 * <p>An owner can have the lock from shortly before its grant returned until its release has returned; if that is not
 * awaited, for {@link Terms#prompt} longer; after a delayed close of a lock with a line of clients, until each of them
 * attempts though the first has left; after a release of unknown outcome, or if the holder ended without one, for a
 * lease longer, unless the new master was found not to have it. An {@linkplain GivenUp abandoned} acquisition can have it for
 * as long as anything of it can be left. <em>Shortly</em> is {@link Terms#prompt}, so a grant that is delivered later than that
 * is a violation too. During a fault, and for {@link Terms#prompt} after it, the lock counts as taken; after the deletion of a
 * key, of which no waiter is notified, for a lease longer. After a failover it may be kept by a hold that was released, but for
 * no longer than its client needs to repeat the release at the new master.
 *
 * <p>Callers abandon acquisitions all the time. If no fault lasted, one that did so accounts only for a moment around
 * the end of its call, so that many of them do not hide that the lock was free for long.
 */
final class WakeUps implements Checker {
    /** These do not wait for one lock: {@link AnyFree} and {@link AllOrNone} judge them. */
    private static final Set<By> SEVERAL = EnumSet.of(By.MULTI, By.SEGMENT);

    private final Terms terms;

    WakeUps(Terms terms) {
        this.terms = terms;
    }

    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("no waiter sleeps beside a free lock");
        Windows windows = new Windows(history);
        Spans spans = new Spans(history, windows);
        Map<String, List<Operation>> byLock =
                history.operations().stream().collect(Collectors.groupingBy(Operation::lock));
        byLock.forEach((lock, operations) -> {
            Use use = Use.of(lock, operations, terms, windows, spans);
            boolean shared = operations.stream().anyMatch(each -> each.reads() || each.isOfSemaphore());
            PassedOver passedOver = new PassedOver(terms, lock, windows, spans);
            for (Operation operation : operations) {
                if (operation.called().waitMillis() != 0
                        && operation.called().what().acquires()
                        && operation.called().what() != What.REGAIN
                        && !SEVERAL.contains(operation.called().by())) {
                    draft.judged(1);
                    long until = Math.min(
                            Math.min(operation.end(), history.end()),
                            windows.killed(operation.op().process()));
                    judge(operation, until, use, draft);
                    if (!shared) {
                        passedOver.judge(operation, until, draft);
                    }
                }
            }
        });
        return draft.verdict();
    }

    private void judge(Operation waiter, long until, Use use, Verdict.Draft draft) {
        Called called = waiter.called();
        for (Time free : use.freeWithin(called.at(), until)) {
            long slept = use.freeNanos(free);
            if (slept > terms.prompt().toNanos()) {
                draft.violated(
                        free.since(),
                        called.lock(),
                        called.owner() + " (" + called.op() + ") waited for " + slept
                                + " ns while no owner had the lock");
            }
        }
    }
}

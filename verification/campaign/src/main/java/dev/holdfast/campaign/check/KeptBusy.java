package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Event.DataLost;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A lock that was closed after a delay stays busy for all of it: if the call succeeded, no owner is granted the lock
 * before the delay has passed since the call, less the drift allowance, whether that requests it after the call or has
 * waited for it. Nothing excuses that but a loss of the lock after
 * it was set: not one before the call, and none that the call has outlasted. Redis has not replied then before the loss,
 * unless the reply was late, and a later reply says that the lock is gone.
 */
final class KeptBusy implements Checker {
    /** The faults by which a reply arrives late, or a process reads it late. */
    private static final Set<Fault> MAKES_LATE =
            EnumSet.of(Fault.DELAYED, Fault.BLACK_HOLED, Fault.HALF_OPEN, Fault.CLIENT_PAUSED, Fault.SERVER_PAUSED);

    /** The number of moments in {@link Terms#prompt}. A reply that is swallowed does not arrive at all. */
    private static final int MOMENTS = 10;

    private final Terms terms;

    KeptBusy(Terms terms) {
        this.terms = terms;
    }

    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("a lock that is closed after a delay stays busy for all of it");
        Windows windows = new Windows(history);
        Spans spans = new Spans(history, windows);
        for (String lock : spans.locks()) {
            List<Operation> grants = spans.of(lock).stream().map(Span::grant).toList();
            for (Span span : spans.of(lock)) {
                span.keptBusyBy().filter(release -> !release.isOfSemaphore()).ifPresent(release -> {
                    draft.judged(1);
                    judge(span, release, grants, windows, draft);
                });
            }
        }
        return draft.verdict();
    }

    private void judge(Span span, Operation release, List<Operation> grants, Windows windows, Verdict.Draft draft) {
        long delay = TimeUnit.MILLISECONDS.toNanos(release.called().leaseMillis());
        long end = release.called().at() + delay - terms.drift().toNanos();
        for (Operation other : grants) {
            boolean later = other.called().at() > release.called().at()
                    || (other.end() > release.end() + terms.prompt().toNanos()
                            && !isLate(other, span.grant().called().at(), windows));
            if (later && other.end() < end && !isExcused(release, other, windows)) {
                draft.violated(
                        other.end(),
                        release.lock(),
                        other.owner() + " (" + other.op() + ") was granted the lock, but " + release.owner() + " ("
                                + release.op() + ") had closed it with a delay of " + delay + " ns, of which "
                                + (end - other.end()) + " were left at least");
                return;
            }
        }
    }

    private boolean isExcused(Operation release, Operation other, Windows windows) {
        return windows.losses(release.lock()).stream()
                .filter(loss -> loss.since() <= other.end()
                        && loss.at() >= release.called().at())
                .anyMatch(loss -> !isOutlasted(release, loss, windows));
    }

    /** Whether what an operation was answered between this time and its end may have been answered long before. */
    private static boolean isLate(Operation operation, long since, Windows windows) {
        return windows.all().stream()
                .anyMatch(window -> MAKES_LATE.contains(window.fault())
                        && window.hits(operation.op().process())
                        && window.overlaps(since, operation.end()));
    }

    /** Whether the call has returned so late after a loss that it was answered after it. */
    private boolean isOutlasted(Operation release, DataLost loss, Windows windows) {
        boolean late = isLate(release, release.called().at(), windows);
        boolean swallowed = windows.all().stream()
                .anyMatch(window -> window.fault() == Fault.REPLIES_SWALLOWED
                        && window.hits(release.op().process())
                        && window.since() <= release.called().at()
                        && window.until() >= loss.at());
        long delivered =
                swallowed ? terms.prompt().toNanos() / MOMENTS : terms.prompt().toNanos();
        return loss.certain() && !late && loss.at() + delivered < release.end();
    }
}

package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * A latch opens when it is counted down as often as its count says, not before, and those that await it notice that. Of a call
 * that awaits a latch which was set before the call, these are violations:
 *
 * <ul>
 *   <li>it finds the latch open, although fewer calls can have counted it down since: a countdown counted twice, or the count
 *       was lost;
 *   <li>it fails since the count is gone, although the lifetime of no count can be over;
 *   <li>it fails for another reason, while no fault lasts;
 *   <li>it waits for longer than {@link Terms#prompt} after as many countdowns have returned, while no fault hits its client: it
 *       has missed the opening, or a countdown was lost. The latch may have been set again since. That matters to a call only if
 *       it may have come after the opening: one that began {@link Terms#prompt} before the last countdown that it takes, while no
 *       fault hit its client, has found the first count.
 * </ul>
 *
 * <p>A latch that was lost in Redis, or may have been since it was set, is open, or gone. So is one whose lifetime is over.
 */
final class Latches implements Checker {
    private final Terms terms;

    Latches(Terms terms) {
        this.terms = terms;
    }

    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("a latch opens when it is counted down, and wakes those that await it");
        Windows windows = new Windows(history);
        Map<String, List<Operation>> byLatch =
                history.latchOperations().stream().collect(Collectors.groupingBy(Operation::lock));
        byLatch.forEach((latch, operations) -> new OfLatch(operations, windows, draft).judge(history.end()));
        return draft.verdict();
    }

    /** The calls of one latch. */
    private final class OfLatch {
        private final Windows windows;
        private final Verdict.Draft draft;
        private final List<Operation> sets;
        private final List<Operation> countdowns;
        private final List<Operation> waiters;

        OfLatch(List<Operation> operations, Windows windows, Verdict.Draft draft) {
            this.windows = windows;
            this.draft = draft;
            this.sets = of(operations, What.SET_COUNT);
            this.countdowns = of(operations, What.COUNT_DOWN);
            this.waiters = of(operations, What.AWAIT);
        }

        private static List<Operation> of(List<Operation> operations, What what) {
            return operations.stream()
                    .filter(operation -> operation.called().what() == what)
                    .toList();
        }

        void judge(long end) {
            for (Operation waiter : waiters) {
                draft.judged(1);
                if (waiter.is(Outcome.FAILED)
                        && !windows.broken(waiter.called().at() - terms.mendingNanos(), waiter.end())) {
                    violated(waiter, waiter.end(), "failed while no fault lasted");
                }
                sets.stream()
                        .filter(set -> set.is(Outcome.DONE)
                                && set.end() <= waiter.called().at())
                        .max(Comparator.comparingLong(Operation::end))
                        .ifPresent(set -> judge(waiter, set, Math.min(waiter.end(), end)));
            }
        }

        private void judge(Operation waiter, Operation set, long until) {
            boolean lost = windows.losses(lockOf(set.lock())).stream()
                    .anyMatch(loss ->
                            loss.since() <= until && loss.at() >= set.called().at());
            if (lost) {
                return;
            }
            boolean over = sets.stream().anyMatch(any -> !any.is(Outcome.COUNTING) && endsBefore(any, until));
            if (waiter.is(Outcome.GONE) && !over) {
                violated(waiter, until, "found that the count is gone, which no lifetime can have ended");
            } else if (waiter.is(Outcome.DONE) && !endsBefore(set, until)) {
                judgeOpen(waiter, set, until);
            }
            judgeAwake(waiter, set, until);
        }

        /** {@return the lock that has the same master: the name of the latch is that of the lock, and a number} */
        private static String lockOf(String latch) {
            return latch.substring(0, Math.max(0, latch.lastIndexOf(':')));
        }

        /** {@return whether the lifetime of a count that this call may have set may be over then} */
        private boolean endsBefore(Operation set, long time) {
            return set.called().at()
                            + terms.leaseNanos(set.called().leaseMillis())
                            - terms.drift().toNanos()
                    <= time;
        }

        private void judgeOpen(Operation waiter, Operation set, long until) {
            long counted = countdowns.stream()
                    .filter(countdown -> countdown.called().at() < until
                            && countdown.end() > set.called().at())
                    .count();
            if (counted < set.holds()) {
                violated(waiter, until, "found it open after " + counted + " countdowns of " + set.holds());
            }
        }

        private void judgeAwake(Operation waiter, Operation set, long until) {
            long opened = ofNumber(
                    set.holds(),
                    Operation::end,
                    countdowns.stream()
                            .filter(countdown -> countdown.is(Outcome.DONE)
                                    && countdown.called().at() >= set.end())
                            .toList());
            if (opened >= until || endsBefore(set, opened) || !awaits(waiter, set, until)) {
                return;
            }
            Times excused = new Times();
            windows.all().stream()
                    .filter(window -> window.hits(waiter.op().process()))
                    .forEach(window -> excused.add(window.since(), mended(window.until())));
            long killed = windows.killed(waiter.op().process());
            long since = Math.max(opened, waiter.called().at());
            long slept = excused.leftOf(since, Math.min(until, killed)).stream()
                    .mapToLong(time -> time.until() - time.since())
                    .max()
                    .orElse(0);
            if (slept > terms.prompt().toNanos()) {
                violated(waiter, since, "waited for " + slept + " ns after the latch was opened");
            }
        }

        /** {@return whether it awaits this count, and no later one} */
        private boolean awaits(Operation waiter, Operation set, long until) {
            long earliest = ofNumber(
                    set.holds(),
                    countdown -> countdown.called().at(),
                    countdowns.stream()
                            .filter(countdown -> countdown.end() > set.called().at())
                            .toList());
            boolean calm = windows.all().stream()
                    .noneMatch(window -> window.hits(waiter.op().process())
                            && window.since() <= earliest
                            && mended(window.until()) >= waiter.called().at());
            return (calm && waiter.called().at() + terms.prompt().toNanos() <= earliest)
                    || sets.stream()
                            .noneMatch(other -> !other.op().equals(set.op())
                                    && !other.is(Outcome.COUNTING)
                                    && other.end() > set.end()
                                    && other.called().at() < until);
        }

        /** {@return the time of the one with this number, in the order of their times; {@link Operation#NEVER} if there is none} */
        private long ofNumber(int number, ToLongFunction<Operation> time, List<Operation> operations) {
            return operations.stream()
                    .mapToLong(time)
                    .sorted()
                    .skip(number - 1)
                    .findFirst()
                    .orElse(Operation.NEVER);
        }

        private long mended(long end) {
            return end == Operation.NEVER ? end : end + terms.mendingNanos();
        }

        private void violated(Operation waiter, long at, String what) {
            draft.violated(at, waiter.lock(), waiter.owner() + " (" + waiter.op() + ") " + what);
        }
    }
}

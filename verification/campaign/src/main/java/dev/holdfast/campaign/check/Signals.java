package dev.holdfast.campaign.check;

import dev.holdfast.campaign.check.Windows.Window;
import dev.holdfast.campaign.history.Event.WaitsFor;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.What;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * No signal is lost: no wait for a condition lasts for longer than {@link Terms#prompt} beside what it waits for, room in a buffer or
 * an item. Each change of a buffer is signalled to one waiter, in the order of the waits.
 *
 * <p>A fault of any client may have lost a signal, or taken it away with the process or the lock. Others wake when that is found:
 * within a lease and a third of one, plus {@link Terms#answer}, after the fault. A process that did not run for so short that no
 * command has failed has lost nothing.
 *
 * <p>Nobody can find that a holder was killed after its change, and before its signal: a wait that had begun before is excused. One
 * that begins later has found no such change.
 */
final class Signals implements Checker {
    private final Terms terms;

    Signals(Terms terms) {
        this.terms = terms;
    }

    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("no waiter for a condition sleeps beside what it waits for");
        Windows windows = new Windows(history);
        Spans spans = new Spans(history, windows);
        Map<String, Exchanges> exchanges = Exchanges.byLock(history);
        Map<Op, Boolean> room = history.all(WaitsFor.class)
                .collect(Collectors.toMap(WaitsFor::op, WaitsFor::room, (one, other) -> one));
        Map<String, Times> excused = new HashMap<>();
        for (Operation waiter : history.lockOperations()) {
            Boolean forRoom = room.get(waiter.op());
            if (waiter.called().what() == What.REGAIN && forRoom != null) {
                Times times = excused.computeIfAbsent(waiter.lock() + " " + forRoom, unused -> {
                    Times without = Exchanges.of(waiter.lock(), exchanges).without(forRoom, windows);
                    windows.all().forEach(window -> without.add(window.since(), found(window)));
                    return without;
                });
                draft.judged(1);
                judge(waiter, times, history.end(), windows, spans.of(waiter.lock()), draft);
            }
        }
        return draft.verdict();
    }

    /** {@return when what a fault has lost is found} */
    private long found(Window window) {
        if (window.until() == Operation.NEVER) {
            return Operation.NEVER;
        }
        boolean brief = window.fault() == Fault.CLIENT_PAUSED
                && window.until() - window.since() < terms.granted().toNanos();
        return window.until() + (brief ? 0 : terms.lease().toNanos() + terms.noticeNanos());
    }

    private void judge(
            Operation waiter, Times excused, long end, Windows windows, List<Span> holds, Verdict.Draft draft) {
        long began = waiter.called().at();
        long until =
                Math.min(Math.min(waiter.end(), end), windows.killed(waiter.op().process()));
        long slept = excused.leftOf(began, until).stream()
                .mapToLong(time -> time.until() - time.since())
                .max()
                .orElse(0);
        if (slept <= terms.prompt().toNanos()) {
            return;
        }
        if (holds.stream().anyMatch(span -> wasKilled(span, began, until, windows))) {
            draft.excused();
            return;
        }
        draft.violated(
                began,
                waiter.lock(),
                waiter.owner() + " (" + waiter.op() + ") waited for " + slept + " ns beside what it waited for");
    }

    /** {@return whether its holder was killed before it had released the lock, while another one waited} */
    private static boolean wasKilled(Span span, long began, long until, Windows windows) {
        long killed = windows.killed(span.process());
        return began <= killed && killed <= until && span.grant().end() <= killed && killed < span.left();
    }
}

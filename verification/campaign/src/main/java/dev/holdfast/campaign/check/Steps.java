package dev.holdfast.campaign.check;

import dev.holdfast.campaign.check.LockState.Phase;
import dev.holdfast.campaign.check.Step.Effect;
import dev.holdfast.campaign.check.Step.Kind;
import dev.holdfast.campaign.history.Event.Confirmed;
import dev.holdfast.campaign.history.Event.DataLost;
import dev.holdfast.campaign.history.Event.Returned;
import dev.holdfast.campaign.history.Loss;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one lock, derived from a history: a mutex with owners, re-entry, leases and tokens, by the rules of
 * {@link Linearizability}. Acquisitions of unknown outcome are no steps; they can only make the lock appear {@linkplain
 * Orphans busy} to others.
 */
final class Steps {
    private final Terms terms;
    private final Windows windows;
    private final Spans spans;
    private final List<Operation> operations;
    private final Orphans orphans;
    private final List<Operation> releases;
    /**
     * For the call time of each acquisition, the earliest time by which one called then or later had certainly been
     * granted.
     */
    private final TreeMap<Long, Long> nextHolds = new TreeMap<>();

    private final List<Step> steps = new ArrayList<>();

    private Steps(Terms terms, Windows windows, Spans spans, List<Operation> operations) {
        this.terms = terms;
        this.windows = windows;
        this.spans = spans;
        this.operations = operations;
        this.orphans = new Orphans(terms, windows, operations);
        this.releases = operations.stream()
                .filter(operation -> operation.called().what() == What.UNLOCK)
                .toList();
    }

    /** {@return the steps of one lock, with these operations} */
    static List<Step> of(String lock, List<Operation> operations, Terms terms, Windows windows, Spans spans) {
        Steps steps = new Steps(terms, windows, spans, operations);
        List<Span> holds = spans.of(lock).stream().filter(span -> !span.reads()).toList();
        steps.findNextHolds(holds);
        steps.operations.forEach(steps::add);
        holds.forEach(steps::addHold);
        windows.losses(lock).forEach(steps::addLoss);
        return steps.steps;
    }

    private void findNextHolds(List<Span> holds) {
        long earliest = Operation.NEVER;
        for (int i = holds.size() - 1; i >= 0; i--) {
            Operation grant = holds.get(i).grant();
            if (!isEarly(holds.get(i))) {
                earliest = Math.min(earliest, grant.end());
            }
            nextHolds.put(grant.called().at(), earliest);
        }
    }

    private void add(Operation operation) {
        What what = operation.called().what();
        Optional<Span> span = spans.of(operation.op());
        if (what == What.CLOSE_AFTER && operation.is(Outcome.RELEASED)) {
            addProof(
                    operation,
                    Kind.CHANGES,
                    span,
                    state -> List.of(state.keptBusy(operation.op(), keptUntil(operation))));
        } else if (what.releases()) {
            addUnlock(operation, span);
        } else if (operation.is(Outcome.REFUSED)) {
            addRefusal(operation);
        } else if (operation.is(Outcome.EXTENDED)) {
            long leaseEnd = operation.called().at() + lease(operation);
            addProof(operation, Kind.READS, span, state -> List.of(state.provedUntil(leaseEnd)));
        } else if (what == What.INSPECT) {
            addInspection(operation, span);
        }
    }

    /** An inspection by the holder shows the actual state of the lock, including the count. */
    private void addInspection(Operation inspection, Optional<Span> span) {
        if (inspection.is(Outcome.SHOWN)) {
            Effect same = state -> state.levels() == inspection.holds() ? List.of(state) : List.of();
            addProof(inspection, Kind.READS, span, same);
        } else if (inspection.is(Outcome.NOT_SHOWN)) {
            add(inspection, Kind.READS, Step.ANY_OWNER, state -> isHold(state, span) ? List.of() : List.of(state));
        }
    }

    private void addHold(Span span) {
        if (isEarly(span)) {
            add(span.grant(), Kind.CHANGES, Step.ANY_OWNER, state -> either(state, begun(state, span)));
        } else {
            add(span.grant(), Kind.CHANGES, span.owner(), state -> begun(state, span));
        }
        for (Operation level : span.levels()) {
            if (!level.op().equals(span.grant().op())) {
                addProof(level, Kind.CHANGES, Optional.of(span), state -> entered(state, level));
            }
        }
        span.confirmed().forEach(renewal -> addRenewal(span, renewal));
    }

    /** A hold begins on a lock that is not held, with a token larger than all before. */
    private List<LockState> begun(LockState state, Span span) {
        long token = span.grant().token();
        if (state.isHeld() || (token != 0 && token <= state.token())) {
            return List.of();
        }
        return List.of(state.held(span, token == 0 ? state.token() : token, leaseEnd(state, span.grant())));
    }

    /** The hold has one more level, as many as the reply contained (0 if unknown), and the same token. */
    private List<LockState> entered(LockState state, Operation level) {
        boolean countFits = level.holds() == 0 || level.holds() == state.levels() + 1;
        boolean same = level.token() == 0 || level.token() == state.token();
        return countFits && same ? List.of(state.entered(level.called().at() + lease(level))) : List.of();
    }

    private static List<LockState> either(LockState unchanged, List<LockState> changed) {
        List<LockState> both = new ArrayList<>(changed);
        both.add(unchanged);
        return both;
    }

    /** A lease begins when the lock can have passed to this owner, which may be long after the call. */
    private long leaseEnd(LockState before, Operation grant) {
        long called = grant.called().at();
        long first = firstLease(grant);
        if (before.phase() == Phase.FREE) {
            return Math.max(called, before.bound()) + first;
        }
        // Handed off by a command that may never have reached the server: then the older lease still counts.
        boolean passedOn = Operation.clientOf(before.owner()).equals(grant.client());
        return passedOn ? Math.min(called + first, before.bound()) : called + first;
    }

    /** The delay counts from the call; the server may be ahead by the drift allowance. */
    private long keptUntil(Operation release) {
        return release.called().at() + lease(release);
    }

    private long firstLease(Operation grant) {
        return terms.firstLeaseNanos(grant) - terms.drift().toNanos();
    }

    private long lease(Operation operation) {
        return terms.leaseNanos(operation.called().leaseMillis())
                - terms.drift().toNanos();
    }

    /**
     * A lock that is handed off within a client belongs to its next owner before the server has replied. If it had been
     * lost before, the reply ends that hold, which may have existed only in its client. There is no early start for a
     * fenced lock, since the token comes with the reply.
     */
    private boolean isEarly(Span span) {
        return span.wasLost()
                && mayHaveStarted(span, span.grant().called().at(), release -> !release.is(Outcome.RELEASED));
    }

    /**
     * Until that reply, such a hold is valid no longer than the one before it, whatever lease it has on the server. If
     * the release had no reply when the hold was known to be lost, that is why it ended, and the server may have it
     * until its client has released it.
     */
    private boolean endedUnconfirmed(Span span) {
        return span.wasLost()
                && span.confirmed().isEmpty()
                && mayHaveStarted(span, span.knownLost(), release -> release.is(Outcome.RELEASED));
    }

    /**
     * Whether the server may have a hold that its owner has lost. The owner counts the lease from its call, the server
     * from the execution of the command, which can be much later.
     */
    private boolean mayOutlast(Span span, Operation unlock) {
        long end = span.confirmedUntil(terms, unlock.end());
        for (Operation level : span.levels()) {
            boolean first = level.op().equals(span.grant().op());
            end = Math.max(end, level.called().at() + (first ? firstLease(level) : lease(level)));
        }
        return end <= unlock.end() || endedUnconfirmed(span);
    }

    /** Whether a hold may have begun by such a release, which was still in progress at this time. */
    private boolean mayHaveStarted(Span span, long time, Predicate<Operation> which) {
        Operation grant = span.grant();
        return grant.token() == 0
                && releases.stream()
                        .filter(which)
                        .anyMatch(release -> release.client().equals(grant.client())
                                && release.called().at() <= grant.end()
                                && release.end() >= time);
    }

    /**
     * "Busy" is correct if another owner has the lock, or may have it. For a free lock it is correct only while an
     * abandoned acquisition can have it. A wait may end with a reply that is as old as the command timeout.
     */
    private void addRefusal(Operation refused) {
        long called = refused.called().at();
        long since = refused.called().what() == What.TRY_WAIT
                ? Math.min(called, refused.end() - terms.answer().toNanos())
                : called;
        boolean orphaned = orphans.possible(since, refused.end());
        Effect effect = state -> switch (state.phase()) {
            case FREE -> orphaned ? List.of(state) : List.of();
            case HELD -> state.isHeldBy(refused.owner()) ? List.of() : List.of(state);
            case LOOSE -> List.of(state);
        };
        steps.add(new Step(since, refused.end(), Kind.READS, Step.ANY_OWNER, null, effect, () -> named(refused)));
    }

    private void addUnlock(Operation unlock, Optional<Span> span) {
        if (unlock.is(Outcome.RELEASED) && span.isPresent() && mayHaveFoundNothing(span.get(), unlock)) {
            add(
                    unlock,
                    Kind.CHANGES,
                    Step.ANY_OWNER,
                    state -> isHold(state, span) ? released(state, unlock) : List.of(state));
        } else if (unlock.is(Outcome.RELEASED)) {
            addProof(unlock, Kind.CHANGES, span, state -> released(state, unlock));
        } else if (unlock.is(Outcome.LOST) && span.isPresent() && mayOutlast(span.get(), unlock)) {
            addUncertainUnlock(unlock, span);
        } else if (loss(unlock) == Loss.CLOSED) {
            // The close does not end the hold on the server; the unlock may, or else the end of its lease.
            addUncertainUnlock(unlock, span);
        } else if (unlock.is(Outcome.LOST) || unlock.is(Outcome.NOT_HELD)) {
            add(unlock, Kind.READS, Step.ANY_OWNER, state -> isHold(state, span) ? List.of() : List.of(state));
        } else {
            addUncertainUnlock(unlock, span);
        }
    }

    /**
     * A release without a reply is sent again. If it finds nothing then, the one before has been executed, as far as its
     * client can know; but the server may have lost the hold before that.
     */
    private boolean mayHaveFoundNothing(Span span, Operation unlock) {
        return windows.losses(unlock.lock()).stream()
                        .anyMatch(loss -> loss.at() >= span.grant().called().at() && loss.since() <= unlock.end())
                && windows.all().stream()
                        .anyMatch(fault -> fault.hits(unlock.op().process())
                                && fault.overlaps(unlock.called().at(), unlock.end()));
    }

    private static List<LockState> released(LockState state, Operation unlock) {
        if (state.levels() > 1) {
            boolean countFits = unlock.holds() == 0 || unlock.holds() == state.levels() - 1;
            return countFits ? List.of(state.left()) : List.of();
        }
        return unlock.holds() == 0 ? List.of(state.freed(unlock.called().at())) : List.of();
    }

    /**
     * It may take effect at any later time or never, but only on the hold for which it was called; the next hold ends
     * that one.
     */
    private void addUncertainUnlock(Operation unlock, Optional<Span> span) {
        Effect effect = state -> {
            if (!isHold(state, span)) {
                return List.of();
            }
            return List.of(state.levels() > 1 ? state.left() : state.loosened());
        };
        Map.Entry<Long, Long> next = nextHolds.ceilingEntry(unlock.called().at());
        long until = next == null ? Operation.NEVER : next.getValue();
        steps.add(new Step(
                unlock.called().at(), until, Kind.MAY_CHANGE, unlock.owner(), null, effect, () -> named(unlock)));
    }

    /** Only an existing hold can be renewed, and its lease had not ended before. */
    private void addRenewal(Span span, Confirmed renewal) {
        long leaseEnd = renewal.since()
                + terms.leaseNanos(renewal.leaseMillis())
                - terms.drift().toNanos();
        Effect effect = state -> state.isHold(span) ? List.of(state.provedUntil(leaseEnd)) : List.of();
        Op hold = span.grant().op();
        steps.add(new Step(
                renewal.since(), renewal.at(), Kind.READS, span.owner(), hold, effect, () -> "a renewal of " + span));
    }

    /** When a failover was detected, a reply of the former master may be on its way still. */
    private void addLoss(DataLost loss) {
        long until = loss.certain() ? loss.at() : loss.at() + terms.prompt().toNanos();

        Effect effect = state -> {
            LockState forgotten = state.forgotten(loss.since(), loss.tokensToo());
            return loss.certain() ? List.of(forgotten) : List.of(forgotten, state);
        };
        steps.add(new Step(loss.since(), until, Kind.CHANGES, Step.ANY_OWNER, null, effect, () -> "a loss of data"));
    }

    /** A result of this kind proves that the hold existed. An operation without a hold cannot have happened. */
    private void addProof(Operation operation, Kind kind, Optional<Span> span, Effect effect) {
        Op hold = span.map(each -> each.grant().op()).orElse(null);
        add(operation, kind, operation.owner(), hold, state -> isHold(state, span) ? effect.on(state) : List.of());
    }

    private void add(Operation operation, Kind kind, String owner, Effect effect) {
        add(operation, kind, owner, null, effect);
    }

    private void add(Operation operation, Kind kind, String owner, @Nullable Op hold, Effect effect) {
        long called = operation.called().at();
        steps.add(new Step(called, operation.end(), kind, owner, hold, effect, () -> named(operation)));
    }

    private static boolean isHold(LockState state, Optional<Span> span) {
        return span.isPresent() && state.isHold(span.get());
    }

    private static Loss loss(Operation operation) {
        Returned returned = operation.returned();
        return returned == null ? Loss.NONE : returned.loss();
    }

    private static String named(Operation operation) {
        Returned returned = operation.returned();
        return operation.called().what() + " of " + operation.owner() + " (" + operation.op() + "), "
                + (returned == null ? "unanswered" : returned.outcome());
    }
}

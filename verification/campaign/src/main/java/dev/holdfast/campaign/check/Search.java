package dev.holdfast.campaign.check;

import dev.holdfast.campaign.check.Step.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Searches for an order of the steps of one lock in which each can have happened. This is the search of Wing and Gong,
 * in the form in which the steps are processed by time and all orders are followed at once (Lowe's <em>just in
 * time</em>). A <em>case</em> is a state of the lock and the set of those steps in progress that have already taken
 * effect. When a step must have happened, each case in which it has not is extended by every sequence of steps in
 * progress that leads to it; a case without such a sequence is dropped. When no case is left, there is no order.
 *
 * <p>Equal cases are one. Of two that differ only in the lock's {@linkplain LockState#bound bound}, the smaller one is
 * enough. A step that only reads is placed where it first fits. A hold is not over while there are {@linkplain Proofs
 * proofs} of it ahead. So at a moment at which no step is in progress, a case is just a state, and everything before is
 * forgotten: such moments divide a history of any length into short ones.
 *
 * <p>The worst case is {@code n * s * 2^p * p} cases, for {@code p} concurrent steps that change the lock, {@code s}
 * states, and {@code n} steps. For a lock these are few: the owner that got it first has to return before it can
 * release, so a wrong guess is dropped at the first return of another, and {@code n * p} is usual. After more cases
 * than the budget, the search gives up and has decided nothing.
 *
 * <p>Confined to one thread; run once.
 */
final class Search {
    /** The result of a search. */
    enum Result {
        /** There is an order. */
        FOUND,
        /** There is none. */
        IMPOSSIBLE,
        /** Unknown: more cases than the budget. */
        GIVEN_UP
    }

    /** The number of states in an explanation. */
    private static final int MOST_STATES = 4;

    private final List<Step> steps;
    private final long budget;
    private final UnderWay underWay = new UnderWay();
    private final Proofs proofs;
    private Set<Case> cases = Set.of(new Case(LockState.untouched(), new BitSet()));
    private long examined;
    private long at;
    private String explanation = "";

    /** A state, and the places of those steps in progress that have led to it. The set is never changed. */
    private record Case(LockState state, BitSet done) {
        Case after(int place, LockState next) {
            BitSet more = (BitSet) done.clone();
            more.set(place);
            return new Case(next, more);
        }

        Case without(int place) {
            BitSet fewer = (BitSet) done.clone();
            fewer.clear(place);
            return new Case(state, fewer);
        }
    }

    /** The begin or the end of a step. */
    private record Mark(long at, boolean begins, Step step) {
        /**
         * At equal times, beginnings come before ends, since the steps may overlap. Steps that may have happened end
         * last, since they may have happened before others that end at that time.
         */
        int rank() {
            if (begins) {
                return 0;
            }
            return step.kind() == Kind.MAY_CHANGE ? 2 : 1;
        }
    }

    Search(List<Step> steps, long budget) {
        this.steps = steps;
        this.proofs = new Proofs(steps, underWay);
        this.budget = budget;
    }

    /** {@return the result} */
    Result run() {
        for (Mark mark : marks()) {
            at = mark.at();
            if (mark.begins()) {
                begin(mark.step());
            } else {
                Set<Case> before = cases;
                end(mark.step());
                if (examined > budget) {
                    explanation = "more than " + budget + " cases up to " + described(mark.step());
                    return Result.GIVEN_UP;
                }
                if (cases.isEmpty()) {
                    explanation = "no order of events explains " + described(mark.step())
                            + "; before it, the lock can only have been "
                            + before.stream()
                                    .map(each -> each.state().toString())
                                    .distinct()
                                    .limit(MOST_STATES)
                                    .collect(Collectors.joining(", or "));
                    return Result.IMPOSSIBLE;
                }
            }
        }
        return Result.FOUND;
    }

    private void begin(Step step) {
        underWay.add(step);
        if (step.kind() == Kind.READS) {
            cases = cases.stream().map(this::withReads).collect(Collectors.toSet());
        }
    }

    private void end(Step step) {
        int place = underWay.placeOf(step);
        Set<Case> left = step.kind() == Kind.MAY_CHANGE ? cases : thoseWith(place);
        cases = smallest(left.stream().map(each -> each.without(place)));
        underWay.remove(place);
        proofs.over(step);
    }

    private static String described(Step step) {
        return step.name().get() + ", between " + step.since() + " and " + step.until();
    }

    /** {@return how far the search came: the time of the last step processed} */
    long at() {
        return at;
    }

    /** {@return why there is no order, or why the search gave up} */
    String explanation() {
        return explanation;
    }

    private List<Mark> marks() {
        List<Mark> marks = new ArrayList<>();
        for (Step step : steps) {
            marks.add(new Mark(step.since(), true, step));
            marks.add(new Mark(step.until(), false, step));
        }
        marks.sort(Comparator.comparingLong(Mark::at).thenComparingInt(Mark::rank));
        return marks;
    }

    /** {@return every case in which the step at this place has happened, derived from the current cases} */
    private Set<Case> thoseWith(int place) {
        Set<Case> found = new HashSet<>();
        Set<Case> seen = new HashSet<>(cases);
        Deque<Case> left = new ArrayDeque<>(cases);
        while (!left.isEmpty() && examined <= budget) {
            examined++;
            Case next = left.remove();
            if (next.done().get(place)) {
                found.add(next);
            } else {
                followers(next).stream().map(this::withReads).filter(seen::add).forEach(left::add);
            }
        }
        return found;
    }

    private List<Case> followers(Case from) {
        List<Case> followers = new ArrayList<>();
        if (from.state().isHeld() && from.state().bound() <= at && !proofs.isNeeded(from.state(), from.done())) {
            followers.add(new Case(from.state().loosened(), from.done()));
        }
        underWay.forEach((place, step) -> {
            if (step.concerns(from.state()) && !from.done().get(place)) {
                step.effect().on(from.state()).forEach(state -> followers.add(from.after(place, state)));
            }
        });
        return followers;
    }

    /** {@return the case after all steps that only read and fit here} */
    private Case withReads(Case from) {
        Case[] result = {from};
        underWay.forEachThatReads((place, step) -> {
            if (step.concerns(result[0].state()) && !result[0].done().get(place)) {
                step.effect().on(result[0].state()).forEach(state -> result[0] = result[0].after(place, state));
            }
        });
        return result[0];
    }

    /** {@return the cases; of those that differ only in the bound, the one with the smallest} */
    private static Set<Case> smallest(Stream<Case> cases) {
        Map<Case, Long> bounds = new HashMap<>();
        cases.forEach(each -> bounds.merge(
                new Case(each.state().withBound(0), each.done()), each.state().bound(), Math::min));
        return bounds.entrySet().stream()
                .map(entry -> new Case(
                        entry.getKey().state().withBound(entry.getValue()),
                        entry.getKey().done()))
                .collect(Collectors.toSet());
    }
}

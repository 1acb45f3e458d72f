package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Event.Believed;
import dev.holdfast.campaign.history.Event.DataLost;
import dev.holdfast.campaign.history.Event.Numbered;
import dev.holdfast.campaign.history.Event.Requested;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * No more permits of a semaphore are held than it has, and each hold has a number of its own. Three things are violations:
 *
 * <ul>
 *   <li>at some time, more permits are held than the largest limit that any request names;
 *   <li>permits are granted by a call at each moment of which so many are held that these exceed the limit that it names itself;
 *   <li>a hold has a number that is not below the limit it named, or that another hold has at the same time.
 * </ul>
 *
 * <p>Permits are certainly held from the return of their grant until their release is called, if that succeeds, and for its
 * delay, less the drift allowance; otherwise, for as long as their holder has found them valid. A hold is not counted once the
 * server has lost it: from a certain loss of the semaphore on, and in a failover, until its client must have noticed that. That
 * it is not considered valid for longer is said by {@link Exclusion}. Neither a fault of the network nor a pause is an excuse.
 */
final class PermitsHeld implements Checker {
    private final Terms terms;

    PermitsHeld(Terms terms) {
        this.terms = terms;
    }

    /** Permits that are certainly held between two moments. */
    private record Held(Span span, long since, long until) {
        boolean overlaps(Held other) {
            return since < other.until && other.since < until;
        }
    }

    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("no more permits are held than there are, with numbers of their own");
        Windows windows = new Windows(history);
        Spans spans = new Spans(history, windows);
        Map<Op, Requested> requests =
                history.all(Requested.class).collect(Collectors.toMap(Requested::op, Function.identity()));
        Map<Op, Integer> numbers =
                history.all(Numbered.class).collect(Collectors.toMap(Numbered::op, Numbered::number));
        Map<String, List<Operation>> bySemaphore =
                history.semaphoreOperations().stream().collect(Collectors.groupingBy(Operation::lock));
        bySemaphore.forEach((semaphore, operations) -> {
            int largest = operations.stream()
                    .map(operation -> requests.get(operation.op()))
                    .mapToInt(request -> request == null ? 0 : request.limit())
                    .max()
                    .orElse(0);
            new OfSemaphore(spans.of(semaphore), windows, requests, numbers, draft).judge(semaphore, largest);
        });
        return draft.verdict();
    }

    /** The holds of one semaphore. */
    private final class OfSemaphore {
        private final Windows windows;
        private final Map<Op, Requested> requests;
        private final Map<Op, Integer> numbers;
        private final Verdict.Draft draft;
        private final List<Span> spans;
        private final List<Held> held;
        /** From each of these times until the next one, so many permits are held. */
        private final TreeMap<Long, Integer> sums = new TreeMap<>();

        OfSemaphore(
                List<Span> spans,
                Windows windows,
                Map<Op, Requested> requests,
                Map<Op, Integer> numbers,
                Verdict.Draft draft) {
            this.spans = spans;
            this.windows = windows;
            this.requests = requests;
            this.numbers = numbers;
            this.draft = draft;
            Vanished vanished = new Vanished(terms, windows);
            this.held = spans.stream()
                    .flatMap(span -> held(span, vanished).stream())
                    .sorted(Comparator.comparingLong(Held::since))
                    .toList();
            Map<Long, Integer> changes = new TreeMap<>();
            held.forEach(each -> {
                changes.merge(each.since(), permits(each.span()), Integer::sum);
                changes.merge(each.until(), -permits(each.span()), Integer::sum);
            });
            sums.put(Long.MIN_VALUE, 0);
            changes.forEach((time, change) -> sums.put(time, sums.lastEntry().getValue() + change));
        }

        private int permits(Span span) {
            return requested(span).permits();
        }

        private Requested requested(Span span) {
            Requested request = requests.get(span.grant().op());
            if (request == null) {
                throw new IllegalArgumentException("a request must say how many permits it requests, was " + span);
            }
            return request;
        }

        private List<Held> held(Span span, Vanished vanished) {
            long since = span.grant().end();
            Times lost = new Times();
            for (DataLost loss : windows.losses(span.lock())) {
                if (loss.at() >= span.grant().called().at()) {
                    boolean verified = !loss.certain() && span.releasing() > loss.at();
                    lost.add(loss.since(), verified ? vanished.noticed(span, loss) : Operation.NEVER);
                }
            }
            return lost.leftOf(since, until(span)).stream()
                    .map(time -> new Held(span, time.since(), time.until()))
                    .toList();
        }

        private long until(Span span) {
            if (!span.wasReleased()) {
                return span.believed().stream().mapToLong(Believed::at).max().orElse(Long.MIN_VALUE);
            }
            return span.keptBusyBy()
                    .map(close -> close.called().at()
                            + terms.leaseNanos(close.called().leaseMillis())
                            - terms.drift().toNanos())
                    .map(kept -> Math.max(kept, span.releasing()))
                    .orElse(span.releasing());
        }

        void judge(String semaphore, int largest) {
            boolean before = false;
            for (Map.Entry<Long, Integer> sum : sums.entrySet()) {
                boolean exceeds = sum.getValue() > largest;
                if (exceeds && !before) {
                    draft.violated(
                            sum.getKey(),
                            semaphore,
                            sum.getValue() + " permits were held at once, of " + largest + ": " + at(sum.getKey()));
                }
                before = exceeds;
            }
            for (Span span : spans) {
                draft.judged(1);
                judgeGrant(span);
            }
            judgeNumbers();
        }

        private List<Span> at(long time) {
            return held.stream()
                    .filter(each -> each.since() <= time && time < each.until())
                    .map(Held::span)
                    .toList();
        }

        private void judgeGrant(Span span) {
            Requested request = requested(span);
            long called = span.grant().called().at();
            long least = Math.min(
                    sums.floorEntry(called).getValue(),
                    sums.subMap(called, span.grant().end()).values().stream()
                            .mapToInt(Integer::intValue)
                            .min()
                            .orElse(Integer.MAX_VALUE));
            if (least + request.permits() > request.limit()) {
                draft.violated(
                        span.grant().end(),
                        span.lock(),
                        span + " was granted " + request.permits() + " permits of " + request.limit() + " while "
                                + least + " were held at least");
            }
        }

        private void judgeNumbers() {
            Map<Integer, List<Held>> byNumber = new HashMap<>();
            for (Held each : held) {
                int number = numbers.getOrDefault(each.span().grant().op(), -1);
                int limit = requested(each.span()).limit();
                if (number < 0 || number >= limit) {
                    violated(each, "has the number " + number + " of " + limit);
                }
                List<Held> others = byNumber.computeIfAbsent(number, unused -> new ArrayList<>());
                others.removeIf(other -> other.until() <= each.since());
                others.stream()
                        .filter(other -> other.span() != each.span() && other.overlaps(each))
                        .findFirst()
                        .ifPresent(other -> violated(each, "and " + other.span() + " both have the number " + number));
                others.add(each);
            }
        }

        private void violated(Held hold, String what) {
            draft.violated(hold.since(), hold.span().lock(), hold.span() + " " + what);
        }
    }
}

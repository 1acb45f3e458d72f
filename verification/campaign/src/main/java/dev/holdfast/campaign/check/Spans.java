package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Event;
import dev.holdfast.campaign.history.Event.Announced;
import dev.holdfast.campaign.history.Event.AtRisk;
import dev.holdfast.campaign.history.Event.Believed;
import dev.holdfast.campaign.history.Event.Confirmed;
import dev.holdfast.campaign.history.Event.SeenLost;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The holds of a history. Operations of one owner on one lock are sequential, so a grant is a re-entry if the owner has
 * levels that it has not released, unless the reply says that it now has one level: then its earlier hold was lost
 * before, and the new one is on top of it. An unlock belongs to the latest hold.
 */
final class Spans {
    private final Map<String, List<Span>> byLock = new LinkedHashMap<>();
    private final Map<Op, Span> byOp = new HashMap<>();
    /** The holds that each owner has not released yet, the latest first. */
    private final Map<Key, Deque<Span>> open = new HashMap<>();

    /** The acquisitions that each owner has abandoned since its last grant. */
    private final Map<Key, List<Operation>> givenUp = new HashMap<>();

    private record Key(String lock, String owner) {}

    Spans(History history, Windows windows) {
        history.operations().forEach(this::add);
        addEvents(history, Confirmed.class, Confirmed::op, (span, event) -> span.add(windows.counted(event)));
        addEvents(history, Believed.class, Believed::op, Span::add);
        addEvents(history, AtRisk.class, AtRisk::op, Span::add);
        addEvents(history, Announced.class, Announced::op, Span::add);
        addEvents(history, SeenLost.class, SeenLost::op, Span::add);
    }

    private <E extends Event> void addEvents(
            History history, Class<E> kind, Function<E, Op> about, BiConsumer<Span, E> action) {
        history.all(kind).forEach(event -> {
            Span span = byOp.get(about.apply(event));
            if (span != null) {
                action.accept(span, event);
            }
        });
    }

    private void add(Operation operation) {
        Key key = new Key(operation.lock(), operation.owner());
        Deque<Span> mine = open.computeIfAbsent(key, unused -> new ArrayDeque<>());
        What what = operation.called().what();
        if (what.acquires() && operation.is(Outcome.GRANTED)) {
            enter(operation, mine);
            List<Operation> before = givenUp.remove(key);
            if (before != null) {
                before.forEach(mine.element()::mayAdopt);
            }
        } else if (what.acquires() && !operation.isKnown()) {
            givenUp.computeIfAbsent(key, unused -> new ArrayList<>()).add(operation);
            if (!mine.isEmpty()) {
                mine.element().mayAdopt(operation);
            }
        } else if (mine.isEmpty()) {
            return;
        } else if (what == What.EXTEND && mayBeExtended(operation)) {
            byOp.put(operation.op(), mine.element());
            mine.element().extend(operation);
        } else if (what == What.INSPECT) {
            byOp.put(operation.op(), mine.element());
        } else if (what.releases() && !operation.is(Outcome.NOT_HELD)) {
            byOp.put(operation.op(), mine.element());
            mine.element().leave(operation);
            if (mine.element().isOver()) {
                mine.remove();
            }
        }
    }

    /** An extension of several locks that failed may have extended some of them. */
    private static boolean mayBeExtended(Operation extension) {
        return extension.is(Outcome.EXTENDED) || extension.called().by() == By.MULTI;
    }

    private void enter(Operation grant, Deque<Span> mine) {
        if (mine.isEmpty() || grant.holds() == 1) {
            Span span = new Span(grant);
            mine.push(span);
            byLock.computeIfAbsent(grant.lock(), unused -> new ArrayList<>()).add(span);
        } else {
            mine.element().enter(grant);
        }
        byOp.put(grant.op(), mine.element());
    }

    /** {@return the locks that were ever held, in the order of their first grants} */
    Iterable<String> locks() {
        return byLock.keySet();
    }

    /** {@return the holds of a lock, in the order of the calls that acquired them} */
    List<Span> of(String lock) {
        return byLock.getOrDefault(lock, Collections.emptyList());
    }

    /**
     * {@return the hold that an operation began, re-entered, extended, inspected or released a level of, if there is
     * one}
     */
    Optional<Span> of(Op op) {
        return Optional.ofNullable(byOp.get(op));
    }

    /** {@return every hold} */
    List<Span> all() {
        return byLock.values().stream().flatMap(List::stream).toList();
    }
}

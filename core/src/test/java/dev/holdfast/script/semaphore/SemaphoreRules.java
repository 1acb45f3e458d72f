package dev.holdfast.script.semaphore;

import dev.holdfast.script.semaphore.SemaphoreCommand.Verb;
import dev.holdfast.script.semaphore.SemaphoreState.Entry;
import dev.holdfast.script.semaphore.SemaphoreState.Hold;
import dev.holdfast.script.semaphore.SemaphoreState.Place;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rules that every command keeps, whatever it is: how many permits are held, which hold ends, which client is granted
 * permits, and that the fields fit together. {@link SemaphoreModel} has what the command does besides.
 */
final class SemaphoreRules {
    private final SemaphoreStep step;
    private final SemaphoreState before;
    private final SemaphoreState after;
    private final SemaphoreCommand command;
    private final Set<String> faults = new LinkedHashSet<>();

    private SemaphoreRules(SemaphoreStep step) {
        this.step = step;
        this.before = step.before();
        this.after = step.after();
        this.command = step.command();
    }

    /** {@return what is wrong with it} */
    static List<String> faults(SemaphoreStep step) {
        SemaphoreRules rules = new SemaphoreRules(step);
        rules.faults.addAll(step.after().faults);
        rules.admission();
        rules.ends();
        rules.order();
        rules.lives();
        rules.faults.addAll(SemaphoreModel.faults(step));
        return List.copyOf(rules.faults);
    }

    private void require(boolean kept, String rule) {
        if (!kept) {
            faults.add(rule);
        }
    }

    /** A new hold fits within its own limit beside those before it, and its number as well. */
    private void admission() {
        List<Hold> begun =
                step.begun().stream().filter(hold -> !continues(hold)).toList();
        long held = after.held - begun.stream().mapToLong(Hold::permits).sum();
        for (Hold hold : begun.stream().sorted(Comparator.comparing(this::turn)).toList()) {
            held += hold.permits();
            require(held <= limitOf(hold), "more permits are held than the limit");
            require(hold.number() >= 1 && hold.number() <= limitOf(hold), "the number of a hold");
        }
    }

    /** {@return whether it has the permits of another tenure} */
    private boolean continues(Hold hold) {
        Hold was = before.holds.get(hold.owner());
        return was != null
                && !was.isOver(step.nowMs())
                && was.permits() == hold.permits()
                && was.number() == hold.number();
    }

    /** {@return the place in line at which it was granted, or one behind all of them} */
    private long turn(Hold hold) {
        boolean own = hold.owner().equals(command.owner()) && hold.tenure() == command.tenure();
        boolean asks = own && command.joins() && step.listens(command.client());
        return before.line.entrySet().stream()
                .filter(place -> {
                    Entry entry = place.getValue().entry();
                    return own
                            ? asks
                                    && place.getValue().client().equals(command.client())
                                    && (entry == null || entry.tenure() <= command.tenure())
                            : entry != null && entry.isOf(hold);
                })
                .mapToLong(Map.Entry::getKey)
                .findFirst()
                .orElse(Long.MAX_VALUE);
    }

    private long limitOf(Hold hold) {
        boolean own = hold.owner().equals(command.owner()) && hold.tenure() == command.tenure();
        return own
                ? command.limit()
                : before.waiting().stream()
                        .filter(entry -> entry.isOf(hold))
                        .mapToLong(Entry::limit)
                        .findFirst()
                        .orElse(-1);
    }

    /** A hold ends by a command of its owner, or once its lease has ended; no command of another changes it. */
    private void ends() {
        for (Hold hold : before.holds.values()) {
            Hold now = after.holds.get(hold.owner());
            boolean own = hold.owner().equals(command.owner()) && hold.tenure() <= command.tenure();
            require(hold.equals(now) || own || (now == null && hold.isOver(step.nowMs())), "the hold of another owner");
            boolean revived = now != null
                    && now.tenure() == hold.tenure()
                    && now.until() != hold.until()
                    && hold.isOver(step.nowMs());
            require(!revived || command.verb() == Verb.ACQUIRE, "an end was put off");
        }
    }

    /** Permits are granted to clients in line from the front; an owner that was not in line gets some if nobody is. */
    private void order() {
        boolean passed = false;
        for (Map.Entry<Long, Place> place : before.line.entrySet()) {
            Entry entry = place.getValue().entry();
            Hold granted = entry == null ? null : after.hold(entry.owner(), entry.tenure());
            require(granted == null || !passed, "a client was passed in the line");
            passed |= entry != null && after.isWaiting(place.getKey());
        }
        boolean direct = step.begun().stream()
                .anyMatch(hold -> hold.owner().equals(command.owner()) && !before.holds.containsKey(hold.owner()));
        boolean hadPlace =
                before.line.values().stream().anyMatch(place -> place.client().equals(command.client()));
        require(!direct || hadPlace || after.waiting().isEmpty(), "the line was passed");
        after.line.forEach((at, place) -> require(
                at > before.last || place.client().equals(before.clientAt(at)),
                "a client joins at the end, or where it was"));
    }

    /** The key does not stay longer than a minute after the leases. */
    private void lives() {
        long most = step.nowMs() + 60_000 + Math.max(command.lease(), 300);
        require(after.isFree() || after.expires <= Math.max(before.expires, most), "the key stays for too long");
    }
}

package dev.holdfast.script.semaphore;

import dev.holdfast.script.semaphore.SemaphoreCommand.Verb;
import dev.holdfast.script.semaphore.SemaphoreState.Entry;
import dev.holdfast.script.semaphore.SemaphoreState.Hold;
import dev.holdfast.script.semaphore.SemaphoreState.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a command has to do: the holds, the line, the reply and the messages after it. The numbers of new holds are the script's. */
final class SemaphoreModel {
    private final SemaphoreStep step;
    private final SemaphoreCommand command;
    private final long now;

    private final Map<String, Hold> holds;
    private final TreeMap<Long, Place> line;
    private long due;
    private long last;

    /** The clients that were notified of a grant. */
    private int notified;

    private List<Object> reply = List.of();
    private final List<String> messages = new ArrayList<>();

    private SemaphoreModel(SemaphoreStep step) {
        this.step = step;
        this.command = step.command();
        this.now = step.nowMs();
        this.holds = new TreeMap<>(step.before().holds);
        this.line = new TreeMap<>(step.before().line);
        this.due = step.before().due;
        this.last = step.before().last;
    }

    /** {@return in what the command has done something else} */
    static List<String> faults(SemaphoreStep step) {
        SemaphoreModel model = new SemaphoreModel(step);
        switch (step.command().verb()) {
            case ACQUIRE -> model.acquire();
            case RELEASE -> model.release();
            case RENEW -> model.renew();
            case CLOSE_AFTER -> model.closeAfter();
        }
        return model.compare();
    }

    private List<String> compare() {
        SemaphoreState after = step.after();
        List<String> faults = new ArrayList<>();
        Map<String, Hold> seen = new TreeMap<>(after.holds);
        seen.replaceAll((owner, hold) -> {
            Hold expected = holds.get(owner);
            return expected != null && expected.number() == 0 ? hold.unnumbered() : hold;
        });
        require(seen, holds, "holds", faults);
        require(after.line, line, "line", faults);
        require(step.effect().reply(), reply, "reply", faults);
        require(
                step.effect().messages().stream()
                        .map(message -> message.channel() + " " + message.text())
                        .sorted()
                        .toList(),
                messages.stream().sorted().toList(),
                "messages",
                faults);
        boolean waits = after.waiting().stream()
                .anyMatch(entry -> entry.owner().equals(command.owner()) && entry.tenure() == command.tenure());
        boolean has = after.hold(command.owner(), command.tenure()) != null;
        if (command.verb() == Verb.ACQUIRE && (waits || has)) {
            require(after.limit, command.limit(), "limit", faults);
        }
        if (!after.isFree()) {
            require(after.due, due, "due", faults);
            require(after.last, last, "last place", faults);
        }
        return faults;
    }

    private static void require(Object seen, Object expected, String what, List<String> faults) {
        if (!seen.equals(expected)) {
            faults.add("the " + what + " must be " + expected + ", not " + seen);
        }
    }

    // --- The commands.

    private void acquire() {
        Hold own = holds.get(command.owner());
        if (own != null && own.tenure() > command.tenure()) {
            reply = List.of(own.tenure());
            return;
        }
        if (own != null) {
            holds.remove(own.owner());
            boolean fits = own.permits() == command.permits() && own.number() <= command.limit();
            if (fits && !own.isOver(now)) {
                long wanted = now + command.lease();
                long until = own.tenure() == command.tenure() ? Math.max(own.until(), wanted) : wanted;
                put(hold(command.tenure(), own.number(), until));
            }
        }
        look();
        boolean asks = command.joins()
                && step.listens(command.client())
                && !holds.containsKey(command.owner())
                && (isAnyoneWaiting() || !fits(command.permits(), command.limit()));
        keepPlace(asks);
        serve();
        Hold served = holds.get(command.owner());
        if (served != null && served.tenure() > command.tenure()) {
            reply = List.of(served.tenure());
            return;
        }
        if (served == null && !isAnyoneWaiting() && fits(command.permits(), command.limit())) {
            put(hold(command.tenure(), 0, now + command.lease()));
        }
        List<Object> answer = new ArrayList<>();
        if (holds.containsKey(command.owner())) {
            answer.addAll(List.of(command.tenure(), number(command.owner())));
        } else if (asks) {
            join();
            answer.addAll(List.of(left(), ahead(), String.valueOf(step.setting().nowMicros())));
        } else {
            answer.add(left());
        }
        long named = step.before().limit;
        if (answer.size() > 1 && named > 0 && named != command.limit()) {
            answer.add(named);
        }
        reply = answer;
    }

    private void release() {
        Hold own = holds.get(command.owner());
        if (own != null && own.tenure() > command.tenure()) {
            reply = List.of(own.tenure());
            return;
        }
        Long place = placeOf(command.client());
        if (own == null && (place == null || !isMine(line.get(place)))) {
            reply = List.of(0L);
            return;
        }
        boolean was = own != null && own.tenure() == command.tenure() && !own.isOver(now);
        if (own == null && place != null) {
            line.put(place, new Place(command.client(), null));
        }
        holds.remove(command.owner());
        look();
        serve();
        List<Object> answer = new ArrayList<>(List.of(was ? command.tenure() : 0));
        long receivers = 0;
        if (!isAnyoneWaiting()) {
            receivers = step.listeners(SemaphoreCommand.CHANNEL);
            messages.add(SemaphoreCommand.CHANNEL + " 0");
        }
        if (notified > 0) {
            answer.addAll(List.of((long) notified, -1L));
        } else if (receivers > 0) {
            answer.add(receivers);
        }
        reply = answer;
    }

    private void renew() {
        Hold own = holds.get(command.owner());
        if (own == null || own.tenure() < command.tenure()) {
            reply = List.of(0L);
        } else if (own.tenure() > command.tenure()) {
            reply = List.of(own.tenure());
        } else if (own.isOver(now)) {
            reply = List.of(0L);
        } else {
            long until = Math.max(own.until(), now + command.lease());
            holds.put(
                    own.owner(), new Hold(own.owner(), own.tenure(), own.permits(), own.number(), until, own.label()));
            reply = List.of(command.tenure());
        }
    }

    private void closeAfter() {
        Hold own = holds.get(command.owner());
        if (own == null || own.tenure() < command.tenure()) {
            reply = List.of(0L);
        } else if (own.tenure() == command.closed()) {
            reply = List.of(command.tenure());
        } else if (own.tenure() > command.tenure()) {
            reply = List.of(own.tenure());
        } else if (own.isOver(now)) {
            reply = List.of(0L);
        } else {
            long until = now + command.lease();
            put(new Hold(own.owner(), command.closed(), own.permits(), own.number(), until, own.label()));
            if (until < own.until()) {
                messages.add(
                        isAnyoneWaiting()
                                ? SemaphoreCommand.grantChannel(
                                                line.firstEntry().getValue().client()) + " watch " + command.lease()
                                : SemaphoreCommand.CHANNEL + " 0");
            }
            reply = List.of(command.tenure());
        }
    }

    // --- Holds.

    private Hold hold(long tenure, long number, long until) {
        return new Hold(
                command.owner(), tenure, command.permits(), number, until, SemaphoreCommand.labelOf(command.owner()));
    }

    private void put(Hold hold) {
        holds.put(hold.owner(), hold);
        due = holds.size() == 1 || hold.until() < due ? hold.until() : due;
    }

    private long held() {
        return holds.values().stream().mapToLong(Hold::permits).sum();
    }

    private boolean fits(long permits, long limit) {
        return held() + permits <= limit;
    }

    /** {@return the number that the script has given} */
    private long number(String owner) {
        Hold hold = step.after().holds.get(owner);
        return hold == null ? 0 : hold.number();
    }

    /** All ends are looked at once the first one may have passed. */
    private void look() {
        if (!holds.isEmpty() && now >= due) {
            holds.values().removeIf(hold -> hold.isOver(now));
            due = holds.values().stream().mapToLong(Hold::until).min().orElse(now);
        }
    }

    private long left() {
        return -Math.max(due - now, 1);
    }

    // --- The line.

    private boolean isAnyoneWaiting() {
        return line.values().stream().anyMatch(place -> place.entry() != null);
    }

    private @Nullable Long placeOf(String client) {
        return line.entrySet().stream()
                .filter(place -> place.getValue().client().equals(client))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(null);
    }

    private boolean isMine(@Nullable Place place) {
        Entry entry = place == null ? null : place.entry();
        return entry != null && entry.owner().equals(command.owner()) && entry.tenure() <= command.tenure();
    }

    private Place requested() {
        return new Place(
                command.client(),
                new Entry(
                        command.owner(),
                        command.tenure(),
                        command.permits(),
                        command.limit(),
                        command.claim(),
                        SemaphoreCommand.labelOf(command.owner())));
    }

    /** The client's place is for the newest tenure, or for none if its owner does not wait. */
    private void keepPlace(boolean asks) {
        Long place = placeOf(command.client());
        if (place == null) {
            return;
        }
        Place known = line.get(place);
        Entry entry = known == null ? null : known.entry();
        if (asks && (entry == null || entry.tenure() <= command.tenure())) {
            line.put(place, requested());
        } else if (!asks && isMine(known)) {
            line.put(place, new Place(command.client(), null));
        }
    }

    private void join() {
        if (placeOf(command.client()) != null) {
            return;
        }
        if (last == 0 && step.listeners(SemaphoreCommand.LINE) > 1) {
            messages.add(SemaphoreCommand.LINE + " opened " + step.setting().nowMicros());
        }
        last++;
        line.put(last, requested());
    }

    /** Places of clients that have left count as far as there are that many other clients. */
    private long ahead() {
        long places = line.values().stream()
                .takeWhile(place -> !place.client().equals(command.client()))
                .count();
        long waiting =
                line.values().stream().filter(place -> place.entry() != null).count();
        return Math.min(places, waiting - 1);
    }

    private void serve() {
        boolean moved = false;
        for (Place place : new ArrayList<>(line.values())) {
            Entry entry = place.entry();
            if (entry != null && step.listens(place.client())) {
                if (!fits(entry.permits(), entry.limit())) {
                    if (moved && !entry.owner().equals(command.owner())) {
                        messages.add(SemaphoreCommand.grantChannel(place.client()) + " watch " + -left());
                    }
                    return;
                }
                grant(entry);
            }
            line.remove(line.firstKey());
            moved = true;
        }
    }

    private void grant(Entry entry) {
        boolean own = entry.owner().equals(command.owner()) && entry.tenure() == command.tenure();
        long until = now + (own ? command.lease() : entry.lease());
        put(new Hold(entry.owner(), entry.tenure(), entry.permits(), 0, until, entry.label()));
        if (!own) {
            notified++;
            messages.add(SemaphoreCommand.grantChannel(entry.client()) + " " + entry.owner() + " " + entry.tenure()
                    + " " + step.setting().nowMicros() + " " + number(entry.owner()));
        }
    }
}

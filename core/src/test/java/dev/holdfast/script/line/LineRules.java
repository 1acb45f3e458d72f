package dev.holdfast.script.line;

import dev.holdfast.script.line.LineCommand.Verb;
import dev.holdfast.script.line.LineEffect.Message;
import dev.holdfast.script.line.LineRun.Step;
import dev.holdfast.script.line.LineState.Hold;
import dev.holdfast.script.line.LineState.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The rules that every command keeps, whatever the model predicts: by which commands a lock gets another holder, who is
 * granted it, which client is notified, and what a command that comes again must not change.
 */
final class LineRules {
    /** How a command comes: in order, again at once, or again after later ones. */
    enum Arrival {
        IN_ORDER,
        TWICE,
        LATE
    }

    private final LineState before;
    private final LineCommand command;
    private final LineState after;
    private final LineKind kind;
    private final List<Message> messages;
    private final List<String> faults = new ArrayList<>();

    private LineRules(Step step) {
        this.before = step.seenBefore().state();
        this.command = step.command();
        this.after = step.seen().state();
        this.kind = step.kind();
        this.messages = step.seen().messages();
    }

    /** {@return the rules that the command has broken} */
    static List<String> faults(Step step) {
        LineRules rules = new LineRules(step);
        rules.holder();
        rules.line();
        if (step.arrival() == Arrival.TWICE) {
            rules.require(
                    rules.after.equals(rules.before) && rules.messages.isEmpty(), "the second time changed something");
        } else if (step.arrival() == Arrival.LATE) {
            rules.late();
        }
        return rules.faults;
    }

    private void require(boolean isKept, String rule) {
        if (!isKept) {
            faults.add(rule);
        }
    }

    private Optional<Waiter> firstThatListens() {
        return before.line().stream()
                .filter(waiter -> !isGivenUp(waiter))
                .filter(waiter -> command.channel().isHeardBy(waiter.client()))
                .findFirst();
    }

    /** A client that releases the lock has no use for its older places; one that does not, for that of the same owner. */
    private boolean isGivenUp(Waiter waiter) {
        boolean useless = waiter.owner().equals(command.owner())
                || (before.hold().isOf(command.owner()) && unit(waiter).equals(unit()));
        boolean late = before.hold().isOf(command.owner()) && before.hold().tenure() > command.tenure();
        return useless && !late && command.holds() == 0 && waiter.tenure() <= command.tenure();
    }

    private void holder() {
        Hold to = after.hold();
        List<Message> grants = messages.stream()
                .filter(message -> message.text().contains(":"))
                .toList();
        boolean changed = !before.hold().isSameAs(to);
        boolean isGrant = changed && command.verb() == Verb.RELEASE && !to.isNone();
        if (isGrant) {
            granted(grants);
        } else {
            require(grants.isEmpty(), "a message about a grant, but no grant");
            require(!changed || mayChangeHolder(), "the holder was changed by a command that may not");
        }
        long notified = messages.stream()
                .filter(message -> message.channel().equals(command.channel().channel()))
                .count();
        boolean freed = !before.isFree() && to.isNone() && command.verb() != Verb.EXPIRE;
        require(notified == (freed ? 1 : 0), "all waiters are notified once when the lock is free, and only then");
    }

    private void granted(List<Message> grants) {
        Hold to = after.hold();
        Waiter first = firstThatListens().orElse(new Waiter("none:0", 0, 0));
        require(isOfCommand(), "the lock was granted by a release of another hold");
        require(to.isOf(first.owner()) && to.tenure() == first.tenure(), "the grant went to another than the first");
        require(to.hours() == first.hours(), "the lease is another than that of the place");
        require(grants.size() == 1, "a grant is one message");
        for (Message grant : grants) {
            require(grant.channel().equals(command.channel().of(to.client())), "the message went to another client");
            require(grant.receivers() == 1, "the message is received once");
            require(grant.tenure() == to.tenure() && grant.hours() > 0, "the message came before the grant");
        }
        Optional<Waiter> next = after.line().stream()
                .filter(waiter -> !waiter.client().equals(to.client()))
                .filter(waiter -> command.channel().isHeardBy(waiter.client()))
                .findFirst();
        String watch = LineSeen.WATCH + to.hours();
        Stream<String> watching = messages.stream()
                .filter(message -> message.text().equals(watch) && message.receivers() > 0)
                .map(Message::channel);
        List<String> nextChannel = next.map(waiter -> List.of(command.channel().of(waiter.client())))
                .orElse(List.of());
        require(watching.toList().equals(nextChannel), "the next that hears watches over the grant");
    }

    private boolean mayChangeHolder() {
        Hold from = before.hold();
        Hold to = after.hold();
        return switch (command.verb()) {
            case ACQUIRE, JOIN, REDISSON_LOCK ->
                isCommands(to) && (from.isNone() || (from.isOf(to.owner()) && from.tenure() < to.tenure()));
            case RELEASE -> to.isNone() && isOfCommand();
            case HANDOFF -> isCommands(to) && from.isSameAs(command.from());
            case FORCE_UNLOCK, EXPIRE -> to.isNone();
            case REDISSON_UNLOCK -> to.isNone() && from.isOf(command.owner());
            case RENEW, PAUSE, CROWD -> false;
        };
    }

    /** {@return whether the hold before the command is the one that it is about, or an older one of its owner} */
    private boolean isOfCommand() {
        Hold hold = before.hold();
        return (hold.isOf(command.owner()) && hold.tenure() <= command.tenure())
                || (command.verb() == Verb.HANDOFF && hold.isSameAs(command.from()));
    }

    private boolean isCommands(Hold hold) {
        return hold.isOf(command.owner()) && hold.tenure() == command.tenure();
    }

    /** A client keeps its place until it is granted the lock, gives the place up, or does not listen in its turn. */
    private void line() {
        if (after.isFree()) {
            require(after.equals(LineState.FREE), "the line ends with its lock");
            return;
        }
        boolean isGrant = command.verb() == Verb.RELEASE && !before.hold().isSameAs(after.hold());
        List<Waiter> kept = new ArrayList<>(before.line());
        if (isGrant) {
            int place = firstThatListens().map(kept::indexOf).orElse(-1);
            kept.subList(0, place + 1).clear();
        }
        String client = command.client();
        String unit = unit();
        require(units(kept, unit).equals(units(after.line(), unit)), "the places of the others are kept");
        int own = after.placeOf(unit);
        int was = before.placeOf(unit);
        boolean joins = command.verb() == Verb.JOIN && command.channel().isHeardBy(client);
        require(own < 0 || was >= 0 || (joins && own == after.line().size() - 1), "a client joins at the end");
        if (was >= 0 && !isGrant) {
            boolean givenUp =
                    command.verb() == Verb.RELEASE && isGivenUp(before.line().get(was));
            require(own == (givenUp ? -1 : was), "a client keeps its place until it gives it up");
        }
        for (Waiter waiter : after.line()) {
            boolean isCommands = joins && waiter.owner().equals(command.owner()) && waiter.tenure() == command.tenure();
            require(isCommands || kept.contains(waiter), "an entry is that of a client that asked for it");
        }
    }

    /** {@return whose place the command is about; of an event, nobody's} */
    private String unit() {
        return command.owner().isEmpty() ? "" : kind.unit(command.owner());
    }

    private String unit(Waiter waiter) {
        return kind.unit(waiter.owner());
    }

    private List<String> units(List<Waiter> line, String but) {
        return line.stream().map(this::unit).filter(unit -> !unit.equals(but)).toList();
    }

    /** What is newer than the command, or of another client, stays; and so does the lock with its line. */
    private void late() {
        Hold hold = before.hold();
        boolean acquiresFree = hold.isNone() && command.verb().acquires();
        boolean isSame = hold.isSameAs(after.hold());
        require(isSame || acquiresFree || isOfCommand(), "a late command ended a newer hold");
        if (isSame && !after.hold().equals(hold)) {
            require(isCommands(hold), "a late command changed a newer hold");
            require(after.hold().hours() >= hold.hours(), "a late command shortened a lease");
            require(after.hold().token() == hold.token() || hold.token() == 0, "a late command drew a token");
        }
        String unit = unit();
        int place = before.placeOf(unit);
        if (place >= 0 && before.line().get(place).tenure() > command.tenure() && isSame) {
            require(
                    after.placeOf(unit) == place
                            && Objects.equals(
                                    after.line().get(place), before.line().get(place)),
                    "a late command replaced a newer place");
        }
    }
}

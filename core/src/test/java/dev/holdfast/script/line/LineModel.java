package dev.holdfast.script.line;

import dev.holdfast.script.line.LineCommand.Verb;
import dev.holdfast.script.line.LineEffect.Message;
import dev.holdfast.script.line.LineState.Hold;
import dev.holdfast.script.line.LineState.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Predicts what each command does to a lock and its line: the protocol, without places, fields and keys. */
record LineModel(LineKind kind) {
    /** How long, and for how many grants, the line keeps the lock from those that cannot be counted. */
    private static final long POLLERS_MICROS = 1_000_000;

    private static final int POLLERS_GRANTS = 16;

    /** How many turns each client has before that, but for the longest time. */
    private static final long POLLERS_TURNS = 4;

    private static final long POLLERS_MOST_MICROS = 2_500_000;

    /** How long the line keeps the lock from those that listen and join no line. */
    private static final long TURN_MICROS = 15_000;

    /** How many grants a crowd adds. */
    static final int CROWD = 16;

    /** {@return the effect of the command at that time of the server} */
    LineEffect effect(LineState before, LineCommand command, long now) {
        Hold hold = before.hold();
        boolean mine = hold.isOf(command.owner());
        if (mine && hold.tenure() > command.tenure()) {
            return LineEffect.none(before, hold.tenure());
        }
        return switch (command.verb()) {
            case ACQUIRE, JOIN -> before.isFree() || mine ? acquire(before, command, now) : wait(before, command, now);
            case RELEASE -> release(before, command, now);
            case RENEW -> renew(before, command);
            case HANDOFF -> handOff(before, command, now);
            case REDISSON_LOCK ->
                before.isFree()
                        ? LineEffect.none(before.heldBy(new Hold(command.owner(), 0, 1, command.hours(), false, 0)), 1)
                        : LineEffect.none(before, 0);
            case REDISSON_UNLOCK -> mine ? delete(command, 1) : LineEffect.none(before, 0);
            case FORCE_UNLOCK -> before.isFree() ? LineEffect.none(before, 0) : delete(command, 1);
            case EXPIRE -> LineEffect.none(LineState.FREE, 0);
            case PAUSE -> LineEffect.none(before, 0);
            case CROWD -> LineEffect.none(new LineState(hold, before.line(), CROWD, before.opened()), 0);
        };
    }

    private LineEffect acquire(LineState before, LineCommand command, long now) {
        Hold hold = before.hold();
        boolean again = hold.isOf(command.owner()) && hold.tenure() == command.tenure();
        if (!again && command.holds() > 1) {
            return LineEffect.none(before, 0);
        }
        Hold next = new Hold(
                command.owner(),
                command.tenure(),
                again ? Math.max(hold.holds(), command.holds()) : command.holds(),
                again ? Math.max(hold.hours(), command.hours()) : command.hours(),
                hold.labelled() || command.verb() == Verb.JOIN,
                again && hold.token() != 0 ? hold.token() : drawn(now));
        return acquired(before.heldBy(next));
    }

    private long drawn(long now) {
        return kind == LineKind.FENCED ? now : 0;
    }

    private static LineEffect acquired(LineState after) {
        Hold hold = after.hold();
        return hold.token() == 0 ? LineEffect.none(after, hold.tenure()) : LineEffect.none(after, hold.tenure(), 0);
    }

    private static LineEffect busy(LineState before) {
        return LineEffect.none(before, -before.hold().hours());
    }

    private LineEffect wait(LineState before, LineCommand command, long now) {
        String client = command.client();
        if (command.verb() != Verb.JOIN || !command.channel().isHeardBy(client)) {
            return busy(before);
        }
        List<Waiter> line = new ArrayList<>(before.line());
        Waiter waiter = new Waiter(command.owner(), command.tenure(), LineCommand.claimOf(command.hours()));
        int place = before.placeOf(kind.unit(command.owner()));
        if (place < 0) {
            place = line.size();
            line.add(waiter);
        } else if (line.get(place).tenure() <= command.tenure()) {
            line.set(place, waiter);
        }
        long opened = before.hasLine() ? before.opened() : now;
        LineState after = new LineState(before.hold(), line, before.grants(), opened);
        LineEffect joined = LineEffect.none(after, -before.hold().hours(), place, now);
        boolean tells =
                !before.hasLine() && (kind == LineKind.FAIR || command.channel().joiners() > 1);
        return tells ? joined.telling(opened(command.channel(), before.hold(), now)) : joined;
    }

    private static LineEffect renew(LineState before, LineCommand command) {
        Hold hold = before.hold();
        if (before.isFree() || (hold.isOf(command.owner()) && hold.tenure() < command.tenure())) {
            return LineEffect.none(before, 0);
        }
        if (!hold.isOf(command.owner())) {
            return busy(before);
        }
        Hold renewed = hold.with(hold.holds(), Math.max(hold.hours(), command.hours()));
        return LineEffect.none(before.heldBy(renewed), command.tenure());
    }

    private LineEffect handOff(LineState before, LineCommand command, long now) {
        Hold hold = before.hold();
        if (hold.isOf(command.owner()) && hold.tenure() == command.tenure()) {
            return acquired(before.heldBy(hold.with(hold.holds(), Math.max(hold.hours(), command.hours()))));
        }
        if (before.isFree()) {
            return LineEffect.none(before, 0);
        }
        if (!hold.isSameAs(command.from())) {
            return busy(before);
        }
        Hold next = new Hold(command.owner(), command.tenure(), 1, command.hours(), hold.labelled(), drawn(now));
        return acquired(before.heldBy(next));
    }

    private LineEffect release(LineState before, LineCommand command, long now) {
        Hold hold = before.hold();
        boolean mine = hold.isOf(command.owner());
        if (command.holds() > 0) {
            if (before.isFree() || (mine && hold.tenure() < command.tenure())) {
                return LineEffect.none(before, 0);
            }
            return mine
                    ? LineEffect.none(before.heldBy(hold.with(command.holds(), hold.hours())), command.tenure())
                    : busy(before);
        }
        LineState left = before.with(remaining(before, command));
        if (!mine) {
            boolean firstHasLeft = !before.line().isEmpty()
                    && !left.line().contains(before.line().get(0));
            List<Message> messages = firstHasLeft ? watch(command.channel(), left.line(), "", hold.hours()) : List.of();
            return before.isFree()
                    ? LineEffect.none(left, 0)
                    : new LineEffect(left, LineEffect.longs(-hold.hours()), messages);
        }
        long released = hold.tenure() == command.tenure() ? command.tenure() : 0;
        return isTurnOver(left, command, now) ? open(command, now, released) : grant(left, command, now, released);
    }

    /** {@return the line without the place that the command gives up} */
    private List<Waiter> remaining(LineState before, LineCommand command) {
        int place = before.placeOf(kind.unit(command.owner()));
        if (place < 0) {
            return before.line();
        }
        Waiter waiter = before.line().get(place);
        boolean useless = before.hold().isOf(command.owner()) || waiter.owner().equals(command.owner());
        return useless && waiter.tenure() <= command.tenure() ? before.without(waiter) : before.line();
    }

    private boolean isTurnOver(LineState state, LineCommand command, long now) {
        long since = now - state.opened();
        boolean turn = since >= TURN_MICROS && state.grants() >= state.line().size();
        boolean turns = since >= POLLERS_MICROS
                && state.grants() >= POLLERS_TURNS * state.line().size();
        boolean pollers =
                kind != LineKind.FAIR && state.grants() >= POLLERS_GRANTS && (turns || since >= POLLERS_MOST_MICROS);
        return !state.line().isEmpty() && turn && (command.channel().others() > 0 || pollers);
    }

    private static LineEffect open(LineCommand command, long now, long released) {
        LineChannel channel = command.channel();
        String others = channel.others() + " " + now;
        Message first = new Message(channel.line(), others, channel.joiners(), 0, 0);
        List<Long> reply = LineEffect.longs(released, channel.listeners(), channel.others(), now);
        return new LineEffect(LineState.FREE, reply, List.of(first, free(channel)));
    }

    private LineEffect grant(LineState state, LineCommand command, long now, long released) {
        LineChannel channel = command.channel();
        for (int i = 0; i < state.line().size(); i++) {
            Waiter waiter = state.line().get(i);
            if (channel.isHeardBy(waiter.client())) {
                Hold next = new Hold(waiter.owner(), waiter.tenure(), 1, waiter.hours(), true, drawn(now));
                List<Waiter> behind = state.line().subList(i + 1, state.line().size());
                LineState after = new LineState(next, behind, state.grants() + i + 1, state.opened());
                String token = next.token() == 0 ? "" : " 0";
                String text = waiter.owner() + " " + waiter.tenure() + " " + now + token;
                Message grant = new Message(channel.of(waiter.client()), text, 1, waiter.tenure(), waiter.hours());
                List<Message> messages = Stream.concat(
                                Stream.of(grant), watch(channel, behind, waiter.client(), waiter.hours()).stream())
                        .toList();
                return new LineEffect(after, LineEffect.longs(released, 1, -1), messages);
            }
        }
        List<Long> reply = released == 0 ? LineEffect.longs(0) : LineEffect.longs(released, channel.listeners());
        return new LineEffect(LineState.FREE, reply, List.of(free(channel)));
    }

    /** {@return what the clients in line are told until one of them hears that it is to watch over that lease} Not the one that was granted it. */
    private static List<Message> watch(LineChannel channel, List<Waiter> line, String granted, int hours) {
        List<Message> messages = new ArrayList<>();
        String text = LineSeen.WATCH + hours;
        for (Waiter waiter : line) {
            if (waiter.client().equals(granted)) {
                continue;
            }
            boolean hears = channel.isHeardBy(waiter.client());
            messages.add(new Message(channel.of(waiter.client()), text, hears ? 1 : 0, 0, hours));
            if (hears) {
                break;
            }
        }
        return messages;
    }

    private static LineEffect delete(LineCommand command, long reply) {
        return new LineEffect(LineState.FREE, LineEffect.longs(reply), List.of(free(command.channel())));
    }

    private static Message opened(LineChannel channel, Hold hold, long now) {
        return new Message(channel.line(), "opened " + now, channel.joiners(), 0, hold.hours());
    }

    private static Message free(LineChannel channel) {
        return new Message(channel.channel(), "0", channel.listeners(), 0, 0);
    }
}

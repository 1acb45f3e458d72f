package dev.holdfast.script.readwrite;

import dev.holdfast.script.readwrite.ReadWriteCommand.Side;
import dev.holdfast.script.readwrite.ReadWriteCommand.Verb;
import dev.holdfast.script.readwrite.ReadWriteState.Hold;
import java.util.ArrayList;
import java.util.List;

/** The replies to commands say what has happened to the lock. */
final class ReadWriteReplies {
    private final ReadWriteStep step;
    private final ReadWriteState before;
    private final ReadWriteState after;
    private final ReadWriteCommand command;
    private final List<Object> reply;
    private final List<String> faults = new ArrayList<>();

    private ReadWriteReplies(ReadWriteStep step) {
        this.step = step;
        this.before = step.before();
        this.after = step.after();
        this.command = step.command();
        this.reply = step.effect().reply();
    }

    static List<String> faults(ReadWriteStep step, List<Hold> granted) {
        ReadWriteReplies replies = new ReadWriteReplies(step);
        replies.check(granted);
        return replies.faults;
    }

    private void require(boolean kept, String rule) {
        if (!kept) {
            faults.add(rule + ", not " + reply);
        }
    }

    private void check(List<Hold> granted) {
        if (step.effect().isError()) {
            faults.add("nothing is refused here: " + reply);
            return;
        }
        if (step.isOvertaken()) {
            require(number() == held(after).tenure(), "a command overtaken by a grant is answered by the newer tenure");
            return;
        }
        if (step.isLate() && !isAgain()) {
            require(number() == held(before).tenure(), "a late command is answered by the newer tenure");
            require(after.isSameAs(before) || !step.ending().isEmpty(), "a late command has no effect");
            return;
        }
        switch (command.verb()) {
            case ACQUIRE -> acquire();
            case RELEASE -> release(granted);
            case DOWNGRADE -> downgrade();
            case CLOSE_AFTER -> closeAfter();
            default -> other();
        }
    }

    private long number() {
        return step.effect().number();
    }

    private Hold held(ReadWriteState state) {
        return state.holds.getOrDefault(command.owner(), new Hold("", 0, 0, 0, ""));
    }

    private boolean isAgain() {
        return command.verb() == Verb.DOWNGRADE
                && command.other() != null
                && before.hold(command.other().owner(), command.other().tenure()) != null;
    }

    private void acquire() {
        if (after.hold(command.owner(), command.tenure()) != null) {
            boolean waits = command.side() == Side.READ && !after.writers.isEmpty();
            require(number() == command.tenure(), "it has the lock");
            require(
                    waits ? reply.equals(List.of(command.tenure(), (long) after.writers.size())) : reply.size() == 1,
                    "a reader has it with " + after.writers.size() + " writers in line");
            return;
        }
        if (command.holds() > 1) {
            require(number() == 0, "the hold to be re-entered is gone");
            return;
        }
        boolean wrongSide = before.holds.containsKey(command.owner());
        long left = after.isShared() && !wrongSide
                ? Math.min(after.due, before.expires) - step.nowMs()
                : before.expires - step.nowMs();
        require(number() == -Math.max(1, left), "it is busy for " + left + " ms");
        boolean listens = step.listens(command.client(), command.side());
        require(reply.size() == (command.joins() && listens && !wrongSide ? 3 : 1), "whether it has a place");
        if (reply.size() == 3) {
            boolean inLine = command.side() == Side.READ
                    ? after.readers.containsKey(command.client())
                    : after.writers.values().stream()
                            .anyMatch(entry -> entry.client().equals(command.client()));
            require(inLine, "it is in line");
            require(reply.get(2).equals(String.valueOf(step.nowMicros())), "the time of the server");
            long place = before();
            long most = command.side() == Side.READ ? place : after.writers.size() - 1L;
            require((long) reply.get(1) >= place && (long) reply.get(1) <= most, "there are " + place + " before it");
        }
    }

    private long before() {
        return command.side() == Side.READ
                ? after.readers.size() - 1
                : after.writers.values().stream()
                        .takeWhile(entry -> !entry.client().equals(command.client()))
                        .count();
    }

    private void release(List<Hold> granted) {
        Hold hold = held(before);
        boolean partial = command.holds() > 0;
        if (hold.tenure() == 0) {
            long left = before.isFree() ? 0 : -Math.max(1, before.expires - step.nowMs());
            require(number() == left && reply.size() == 1, "it is not held: " + left);
        } else if (hold.tenure() < command.tenure() && partial) {
            require(number() == 0, "the tenure is not held");
        } else {
            require(number() == (hold.tenure() == command.tenure() ? command.tenure() : 0), "it was released");
            if (!granted.isEmpty()) {
                require(reply.subList(1, reply.size()).equals(List.of((long) granted.size(), -1L)), "the grants");
            }
        }
    }

    private void downgrade() {
        boolean done = command.other() != null
                && after.hold(command.other().owner(), command.other().tenure()) != null;
        if (done) {
            require(
                    after.writers.isEmpty()
                            ? reply.equals(List.of(command.tenure()))
                            : reply.equals(List.of(command.tenure(), (long) after.writers.size())),
                    "it is downgraded, with " + after.writers.size() + " writers in line");
        } else {
            require(number() <= 0, "there was no hold to downgrade");
        }
    }

    /** The tenure that it leaves is newer than the one that it ends: the owner may have one between the two. */
    private void closeAfter() {
        long ended = command.other() == null ? 0 : command.other().tenure();
        long was = held(before).tenure();
        if (was == ended || was == command.tenure()) {
            require(number() == ended, "it was ended");
        } else if (was > ended) {
            require(number() == was, "a close that comes late is answered by the newer tenure");
        } else {
            require(number() <= 0, "it was not held");
        }
    }

    private void other() {
        Hold hold = held(after);
        if (hold.tenure() == command.tenure()) {
            require(number() == command.tenure(), "it has the lock");
        } else {
            require(number() <= 0, "it does not have the lock");
        }
    }
}

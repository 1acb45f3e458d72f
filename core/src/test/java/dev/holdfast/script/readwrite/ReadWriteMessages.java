package dev.holdfast.script.readwrite;

import static dev.holdfast.script.readwrite.ReadWriteCommand.CHANNEL;

import dev.holdfast.script.TimedScripts.Message;
import dev.holdfast.script.readwrite.ReadWriteCommand.Side;
import dev.holdfast.script.readwrite.ReadWriteCommand.Verb;
import dev.holdfast.script.readwrite.ReadWriteState.Entry;
import dev.holdfast.script.readwrite.ReadWriteState.Hold;
import java.util.ArrayList;
import java.util.List;

/** The messages of a command are those that its effect requires, and no others. */
final class ReadWriteMessages {
    private static final String LINE = ReadWriteCommand.lineChannel();

    private final ReadWriteStep step;
    private final ReadWriteState before;
    private final ReadWriteState after;
    private final ReadWriteCommand command;
    private final List<String> expected = new ArrayList<>();

    private ReadWriteMessages(ReadWriteStep step) {
        this.step = step;
        this.before = step.before();
        this.after = step.after();
        this.command = step.command();
    }

    static List<String> faults(ReadWriteStep step, List<Hold> granted) {
        ReadWriteMessages messages = new ReadWriteMessages(step);
        messages.expect(granted);
        List<String> seen = new ArrayList<>();
        for (Message message : step.effect().messages()) {
            boolean watch = message.text().startsWith("watch ");
            if (!watch || message.receivers() > 0) {
                seen.add(message.channel() + " " + message.text());
            }
        }
        List<String> faults = new ArrayList<>();
        if (!seen.stream()
                .sorted()
                .toList()
                .equals(messages.expected.stream().sorted().toList())) {
            faults.add("the messages are " + messages.expected + ", not " + seen);
        }
        return faults;
    }

    private void expect(List<Hold> granted) {
        for (Hold hold : granted) {
            String waiting = hold.side() == Side.READ && !after.writers.isEmpty() ? " " + after.writers.size() : "";
            String client = ReadWriteCommand.clientOf(hold.owner());
            expected.add(ReadWriteCommand.grantChannel(client, hold.side()) + " " + hold.owner() + " " + hold.tenure()
                    + " " + step.nowMicros() + waiting);
            if (hold.side() == Side.WRITE) {
                watch(after.expires - step.nowMs());
            }
        }
        boolean leaves =
                step.ending().isEmpty() && before.writers.values().stream().anyMatch(step::isLeaving);
        if (leaves) {
            long left = before.expires - step.nowMs();
            watch(Math.max(1, before.isShared() ? Math.min(left, before.due - step.nowMs()) : left));
        }
        if (step.isBarred() && isFirstPassed()) {
            watch(Math.max(1, Math.min(before.expires, after.due) - step.nowMs()));
        }
        boolean released = command.verb() == Verb.RELEASE && !before.isFree() && after.isFree();
        if (released) {
            expected.add(CHANNEL + " 1");
            if (step.isTurn()) {
                expected.add(LINE + " " + Math.max(0, step.others()) + " " + step.nowMicros());
            }
        }
        if (command.verb() == Verb.CLOSE_AFTER && !step.ending().isEmpty() && before.expires > after.expires) {
            expected.add(CHANNEL + " 1");
        }
        boolean others = step.listeners(LINE) > 1;
        boolean sameLock = !before.isFree() && !before.isOver(step.nowMs());
        if (others && sameLock && before.opened == 0 && after.opened > 0) {
            expected.add(LINE + " opened " + step.nowMicros());
        }
        boolean first = before.isShared() && before.writers.isEmpty() && !after.writers.isEmpty();
        if (others && sameLock && first) {
            expected.add(LINE + " closing " + step.nowMicros());
        }
    }

    /** {@return whether the first place is not any more that of a writer that is subscribed} */
    private boolean isFirstPassed() {
        Entry first = before.writers.get(before.first);
        return first == null || !step.listens(first.client(), Side.WRITE);
    }

    private void watch(long lease) {
        step.firstWriter(after.writers)
                .map(Entry::client)
                .ifPresent(
                        client -> expected.add(ReadWriteCommand.grantChannel(client, Side.WRITE) + " watch " + lease));
    }
}

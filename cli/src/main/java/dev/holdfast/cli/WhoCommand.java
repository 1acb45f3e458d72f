package dev.holdfast.cli;

import dev.holdfast.Holdfast;
import dev.holdfast.LockHolder;
import dev.holdfast.LockInfo;

/** {@code holdfast who}: shows the owner of a lock. */
final class WhoCommand {
    private WhoCommand() {}

    static int execute(CommandLine line, Holdfast holdfast, Console console) {
        LockInfo lock = holdfast.getLock(line.operands().get(0)).inspect();
        for (LockHolder holder : lock.holders()) {
            print(console, "lock", lock.name());
            print(console, "owner", holder.owner());
            holder.label().ifPresent(label -> print(console, "label", label));
            holder.since().ifPresent(since -> print(console, "since", since.toString()));
            print(console, "holds", Integer.toString(holder.holdCount()));
            print(
                    console,
                    "lease",
                    lock.remainingLease().map(Durations::seconds).orElse("without end"));
            print(console, "in line", Integer.toString(lock.clientsInLine()));
        }
        return (lock.isLocked() ? ExitCode.OK : ExitCode.FREE).code();
    }

    private static void print(Console console, String name, String value) {
        console.print(name + " ".repeat(10 - name.length()) + value);
    }
}

package dev.holdfast.cli;

import dev.holdfast.Holdfast;
import dev.holdfast.LockHolder;
import dev.holdfast.LockInfo;
import java.util.Comparator;

/** {@code holdfast who}: shows the owner of a lock, or all that read. */
final class WhoCommand {
    private WhoCommand() {}

    static int execute(CommandLine line, Holdfast holdfast, Console console) {
        FoundLock found = FoundLock.of(holdfast, line.operands().get(0));
        LockInfo lock = found.info();
        if (!lock.isLocked()) {
            return ExitCode.FREE.code();
        }
        print(console, "lock", lock.name());
        if (found.isReadWrite()) {
            print(console, "mode", found.mode(lock.holders().get(0)));
        }
        lock.holders().stream()
                .sorted(Comparator.comparing(LockHolder::owner))
                .forEach(holder -> print(console, found, holder));
        print(console, "in line", Integer.toString(lock.clientsInLine()));
        return ExitCode.OK.code();
    }

    private static void print(Console console, FoundLock found, LockHolder holder) {
        print(console, "owner", holder.owner());
        holder.label().ifPresent(label -> print(console, "label", label));
        holder.since().ifPresent(since -> print(console, "since", since.toString()));
        print(console, "holds", Integer.toString(holder.holdCount()));
        print(console, "lease", found.lease(holder, "without end"));
    }

    private static void print(Console console, String name, String value) {
        console.print(name + " ".repeat(10 - name.length()) + value);
    }
}

package dev.holdfast.cli;

import dev.holdfast.Holdfast;
import dev.holdfast.LockHolder;
import java.util.List;
import java.util.function.Supplier;

/** {@code holdfast ls}: lists the locks that are held. */
final class LsCommand {
    private LsCommand() {}

    /** @param client connects, if the details of the locks are asked for */
    static int execute(CommandLine line, String address, Supplier<Holdfast> client, Console console) {
        String pattern = line.operands().isEmpty() ? "*" : line.operands().get(0);
        List<String> names;
        try (LockScan scan = LockScan.connect(address)) {
            names = scan.names(pattern);
        }
        if (line.has(Option.LONG) && !names.isEmpty()) {
            try (Holdfast holdfast = client.get()) {
                names.forEach(name -> print(FoundLock.of(holdfast, name), console));
            }
        } else {
            names.forEach(console::print);
        }
        return ExitCode.OK.code();
    }

    private static void print(FoundLock found, Console console) {
        for (LockHolder holder : found.info().holders()) {
            console.print(String.join(
                    "\t",
                    found.info().name(),
                    holder.owner(),
                    holder.label().orElse("-"),
                    found.lease(holder, "-"),
                    found.mode(holder)));
        }
    }
}

package dev.holdfast.cli;

import dev.holdfast.Holdfast;
import dev.holdfast.LockException;
import dev.holdfast.LockHolder;
import dev.holdfast.SemaphoreInfo;
import dev.holdfast.cli.found.FoundLock;
import dev.holdfast.cli.found.FoundNames;
import dev.holdfast.cli.found.FoundSemaphore;
import dev.holdfast.cli.found.LockScan;
import dev.holdfast.cli.found.NamePattern;
import java.util.function.Supplier;

/** {@code holdfast ls}: lists the locks that are held, and the semaphores that are in use. */
final class LsCommand {
    private final Console console;
    private final boolean isLong;

    private LsCommand(Console console, boolean isLong) {
        this.console = console;
        this.isLong = isLong;
    }

    /** @param client connects, if the details of the locks are asked for, or there are semaphores */
    static int execute(CommandLine line, String address, Supplier<Holdfast> client, Console console) {
        String pattern = line.operands().isEmpty() ? "*" : line.operands().get(0);
        FoundNames found;
        try (LockScan scan = LockScan.connect(RedisAddress.uris(address))) {
            found = scan.find(NamePattern.of(pattern));
        }
        new LsCommand(console, line.has(Option.LONG)).print(found, client);
        return ExitCode.OK.code();
    }

    private void print(FoundNames found, Supplier<Holdfast> client) {
        if (!isLong) {
            found.locks().forEach(console::print);
        }
        if (!found.semaphores().isEmpty() || (isLong && !found.locks().isEmpty())) {
            try (Holdfast holdfast = client.get()) {
                if (isLong) {
                    found.locks().forEach(name -> print(FoundLock.of(holdfast, name)));
                }
                found.semaphores().forEach(name -> printSemaphore(holdfast, name));
            }
        }
    }

    private void print(FoundLock found) {
        for (LockHolder holder : found.info().holders()) {
            print(
                    found.info().name(),
                    holder.owner(),
                    holder.label().orElse("-"),
                    found.lease(holder).map(Durations::seconds).orElse("-"),
                    found.mode(holder));
        }
    }

    /** One that cannot be read is a message: the others are listed. */
    private void printSemaphore(Holdfast holdfast, String name) {
        try {
            FoundSemaphore found = FoundSemaphore.of(holdfast, name);
            if (isLong) {
                found.info().holders().forEach(holder -> print(found, holder));
            } else if (found.isInUse()) {
                print(
                        name,
                        found.info().held() + " of " + found.limit() + " permits",
                        found.info().line().size() + " in line");
            }
        } catch (LockException e) {
            console.say(Failures.message(e));
        }
    }

    private void print(FoundSemaphore found, SemaphoreInfo.Holder holder) {
        print(
                found.info().name(),
                holder.owner(),
                holder.label().orElse("-"),
                Durations.seconds(holder.remainingLease()),
                holder.permits() + " of " + found.limit() + " permits",
                "number " + holder.number());
    }

    private void print(String... columns) {
        console.print(String.join("\t", columns));
    }
}

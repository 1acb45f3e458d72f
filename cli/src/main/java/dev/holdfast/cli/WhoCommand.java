package dev.holdfast.cli;

import dev.holdfast.Holdfast;
import dev.holdfast.LockException;
import dev.holdfast.LockHolder;
import dev.holdfast.LockInfo;
import dev.holdfast.SemaphoreInfo;
import dev.holdfast.cli.found.FoundLock;
import dev.holdfast.cli.found.FoundSemaphore;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/** {@code holdfast who}: shows the owner of a lock, or all that read, what waits for its conditions, and the owners of permits. */
final class WhoCommand {
    private final Holdfast holdfast;
    private final String name;
    private final Console console;

    private WhoCommand(Holdfast holdfast, String name, Console console) {
        this.holdfast = holdfast;
        this.name = name;
        this.console = console;
    }

    static int execute(CommandLine line, Holdfast holdfast, Console console) {
        WhoCommand who = new WhoCommand(holdfast, line.operands().get(0), console);
        return (who.show() ? ExitCode.OK : ExitCode.FREE).code();
    }

    /**
     * A semaphore that cannot be read is a message, since its name may be meant to be that of a lock; and so is a key that is no
     * lock, if the semaphore is in use.
     *
     * @return whether the lock is held, or the semaphore is in use
     */
    private boolean show() {
        boolean isHeld;
        try {
            isHeld = showLock();
        } catch (LockException e) {
            if (!showSemaphore()) {
                throw e;
            }
            console.say(Failures.message(e));
            return true;
        }
        return showSemaphore() || isHeld;
    }

    private boolean showLock() {
        FoundLock found = FoundLock.of(holdfast, name);
        LockInfo lock = found.info();
        if (lock.isLocked() || !lock.conditionWaiters().isEmpty()) {
            print("lock", lock.name());
        }
        if (lock.isLocked()) {
            if (found.isReadWrite()) {
                print("mode", found.mode(lock.holders().get(0)));
            }
            lock.holders().stream()
                    .sorted(Comparator.comparing(LockHolder::owner))
                    .forEach(holder -> print(found, holder));
            print("in line", Integer.toString(lock.clientsInLine()));
        }
        new TreeMap<>(lock.conditionWaiters()).forEach(this::print);
        return lock.isLocked();
    }

    private void print(String condition, List<String> owners) {
        print("condition", condition.isEmpty() ? "-" : condition);
        owners.forEach(owner -> print("waits", owner));
    }

    private void print(FoundLock found, LockHolder holder) {
        print("owner", holder.owner());
        holder.label().ifPresent(label -> print("label", label));
        holder.since().ifPresent(since -> print("since", since.toString()));
        print("holds", Integer.toString(holder.holdCount()));
        print("lease", found.lease(holder).map(Durations::seconds).orElse("without end"));
    }

    private boolean showSemaphore() {
        FoundSemaphore found;
        try {
            found = FoundSemaphore.of(holdfast, name);
        } catch (LockException e) {
            console.say(Failures.message(e));
            return false;
        }
        SemaphoreInfo semaphore = found.info();
        if (found.isInUse()) {
            print("semaphore", semaphore.name());
            print("limit", Integer.toString(found.limit()));
            print("held", Integer.toString(semaphore.held()));
            semaphore.holders().forEach(this::print);
            print("in line", Integer.toString(semaphore.line().size()));
            semaphore.line().forEach(this::print);
        }
        return found.isInUse();
    }

    private void print(SemaphoreInfo.Holder holder) {
        print("owner", holder.owner());
        holder.label().ifPresent(label -> print("label", label));
        print("permits", Integer.toString(holder.permits()));
        print("number", Integer.toString(holder.number()));
        holder.since().ifPresent(since -> print("since", since.toString()));
        print("lease", Durations.seconds(holder.remainingLease()));
    }

    private void print(SemaphoreInfo.Request request) {
        print("waits", request.owner());
        request.label().ifPresent(label -> print("label", label));
        print("for", request.permits() + " of " + request.limit());
    }

    private void print(String what, String value) {
        console.print(what + " ".repeat(10 - what.length()) + value);
    }
}

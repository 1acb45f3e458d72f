package dev.holdfast.cli;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** {@code holdfast wait}: waits until a lock is free. */
final class WaitCommand {
    private WaitCommand() {}

    /** A signal ends the wait, but not the process before the client has left the line of those that wait. */
    static int execute(CommandLine line, Optional<Duration> wait, Holdfast holdfast, Signals signals, Console console) {
        CompletableFuture<SignalName> signal = new CompletableFuture<>();
        signals.deliverTo(signal::complete);
        Protection lock = Protection.of(line);
        String lockName = line.operands().get(0);
        LockCall call = lock.start(holdfast, lockName, wait, Optional.empty());
        Object first = CompletableFuture.anyOf(signal, call.outcome()).join();
        if (first instanceof SignalName name) {
            call.giveUp().ifPresent(Lease::close);
            return ExitCode.SIGNAL.code() + name.number();
        }
        Optional<Lease> turn = call.outcome().join();
        if (turn.isEmpty()) {
            console.say(lock.busy(lockName));
            return ExitCode.BUSY.code();
        }
        turn.get().close();
        return ExitCode.OK.code();
    }
}

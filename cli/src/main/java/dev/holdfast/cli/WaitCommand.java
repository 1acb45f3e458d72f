package dev.holdfast.cli;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import java.time.Duration;
import java.util.Optional;

/** {@code holdfast wait}: waits until a lock is free. */
final class WaitCommand {
    private WaitCommand() {}

    static int execute(CommandLine line, Optional<Duration> wait, Holdfast holdfast, Console console)
            throws InterruptedException {
        DistributedLock lock = holdfast.getLock(line.operands().get(0));
        Optional<Lease> turn = wait.isPresent() ? lock.tryAcquire(wait.get()) : Optional.of(lock.acquire());
        if (turn.isEmpty()) {
            console.say("lock '" + lock.name() + "' is held by another owner");
            return ExitCode.BUSY.code();
        }
        turn.get().close();
        return ExitCode.OK.code();
    }
}

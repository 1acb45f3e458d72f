package dev.holdfast.cli;

import dev.holdfast.Holdfast;
import dev.holdfast.cli.found.FoundLock;

/** {@code holdfast release --force}: forces a lock open, or releases the permits of an owner. */
final class ReleaseCommand {
    private ReleaseCommand() {}

    static int execute(CommandLine line, Holdfast holdfast) {
        String name = line.operands().get(0);
        boolean isReleased = line.text(Option.OWNER)
                .map(owner -> holdfast.getSemaphore(name, 1).forceRelease(owner))
                .orElseGet(() -> FoundLock.forceOpen(holdfast, name));
        return (isReleased ? ExitCode.OK : ExitCode.FREE).code();
    }

    /** @throws UsageException if the user did not confirm that it is to be taken from its owner */
    static void requireForce(CommandLine line) {
        if (!line.has(Option.FORCE)) {
            throw new UsageException(
                    "release takes a lock, or permits, from their owner, which runs on beside the next one until its"
                            + " next renewal: confirm that by " + Option.FORCE.longName());
        }
    }
}

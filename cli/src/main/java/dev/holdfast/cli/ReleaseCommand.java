package dev.holdfast.cli;

import dev.holdfast.Holdfast;
import dev.holdfast.WrongKindException;

/** {@code holdfast release --force}: forces a lock open, or releases the permits of an owner. */
final class ReleaseCommand {
    private ReleaseCommand() {}

    static int execute(CommandLine line, Holdfast holdfast) {
        String name = line.operands().get(0);
        boolean isReleased = line.text(Option.OWNER)
                .map(owner -> holdfast.getSemaphore(name, 1).forceRelease(owner))
                .orElseGet(() -> isForcedOpen(holdfast, name));
        return (isReleased ? ExitCode.OK : ExitCode.FREE).code();
    }

    /** {@return whether an owner held the lock, of whichever kind it is, and has lost it} */
    static boolean isForcedOpen(Holdfast holdfast, String name) {
        try {
            return holdfast.getLock(name).forceUnlock();
        } catch (WrongKindException e) {
            return holdfast.getReadWriteLock(name).forceUnlock();
        }
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

package dev.holdfast.cli;

import dev.holdfast.Holdfast;
import dev.holdfast.WrongKindException;

/** {@code holdfast release --force}: forces a lock open. */
final class ReleaseCommand {
    private ReleaseCommand() {}

    static int execute(CommandLine line, Holdfast holdfast) {
        return (isReleased(holdfast, line.operands().get(0)) ? ExitCode.OK : ExitCode.FREE).code();
    }

    private static boolean isReleased(Holdfast holdfast, String name) {
        try {
            return holdfast.getLock(name).forceUnlock();
        } catch (WrongKindException e) {
            return holdfast.getReadWriteLock(name).forceUnlock();
        }
    }

    /** @throws UsageException if the user did not confirm that it is to be taken from its owner */
    static void requireForce(CommandLine line) {
        if (!line.has(Option.FORCE)) {
            throw new UsageException("release takes a lock from its owner, which runs on beside the next one until its"
                    + " next renewal: confirm that by " + Option.FORCE.longName());
        }
    }
}

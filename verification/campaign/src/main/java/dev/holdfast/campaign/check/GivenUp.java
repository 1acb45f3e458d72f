package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.Outcome;

/**
 * How long an acquisition that was given up can have the lock for nobody: <em>No orphan</em>, in the guarantees. What it was
 * granted is given back as soon as there is a connection: at once if nothing was broken for its client, and soon after the
 * fault if something was. Only what a client leaves behind that was killed or closed stays for a lease; so does what
 * another library may leave, which promises nothing of the kind.
 *
 * @param operation the acquisition, of unknown outcome
 * @param since when it can have had the lock at the earliest. A grant is delivered promptly: whoever was let go by his caller
 *     while nothing was broken had not been granted it long before
 * @param until when nothing is left of it, at the latest
 * @param calm whether nothing was broken for its client, which lived on
 */
record GivenUp(Operation operation, long since, long until, boolean calm) {
    static GivenUp of(Operation operation, Terms terms, Windows windows) {
        String process = operation.op().process();
        long called = operation.called().at();
        long end = Math.min(operation.end(), windows.killed(process));
        if (end == Operation.NEVER) {
            return new GivenUp(operation, called, Operation.NEVER, false);
        }
        long prompt = end + terms.prompt().toNanos();
        long givenBack = windows.undisturbed(process, called, prompt, terms.mendingNanos());
        if (givenBack < windows.gone(process) && operation.called().by() != By.REDISSON) {
            boolean calm = givenBack == prompt && isOver(operation);
            long since = calm ? Math.max(called, end - terms.prompt().toNanos()) : called;
            return new GivenUp(operation, since, givenBack, calm);
        }
        // What it had sent may be carried out when the fault is over.
        long last = windows.undisturbed(process, called, Math.min(givenBack, windows.gone(process)), 0);
        long until = last == Operation.NEVER ? last : last + leaseNanos(operation, terms);
        return new GivenUp(operation, called, until, false);
    }

    /** {@return whether an operation is such an acquisition} One that only has not come back yet still waits. */
    static boolean is(Operation operation) {
        return operation.called().what().acquires() && !operation.isKnown();
    }

    private static long leaseNanos(Operation operation, Terms terms) {
        return terms.leaseNanos(operation.called().leaseMillis())
                + terms.answer().toNanos();
    }

    /** Whether it was the caller who had enough, and nothing failed. */
    private static boolean isOver(Operation operation) {
        return operation.is(Outcome.INTERRUPTED) || operation.is(Outcome.CANCELLED);
    }
}

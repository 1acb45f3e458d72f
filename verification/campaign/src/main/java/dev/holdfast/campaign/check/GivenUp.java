package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Event.Called;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;

/**
 * The time for which an abandoned acquisition can have the lock: <em>No orphan</em>, in the guarantees. Its grant is
 * released as soon as there is a connection: at once if no fault hit its client, and soon after the fault otherwise.
 * Only the holds of a client that was killed or closed stay for a lease, and so may those of another library, which
 * does not promise to release them.
 *
 * <p>A multi-lock has some of its locks at any time from its call on, and releases them again, until it has all.
 *
 * <p>A wait that ends at its limit abandons its acquisition too, if an attempt is in flight at that moment. Redisson
 * waits for the reply instead.
 *
 * @param operation the acquisition, of unknown outcome or refused at the limit of its wait
 * @param since the earliest time at which it can have had the lock. A grant is delivered promptly, so an acquisition
 *     that its caller abandoned while no fault lasted was granted shortly before, if at all
 * @param until the latest time at which it can have the lock
 * @param calm whether the caller abandoned it, and no fault hit its client, which was neither killed nor closed
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
            boolean calm = givenBack == prompt
                    && isOver(operation)
                    && operation.called().by() != By.MULTI;
            long since = calm
                    ? Math.max(
                            called,
                            Math.min(end, limit(operation)) - terms.prompt().toNanos())
                    : called;
            return new GivenUp(operation, since, givenBack, calm);
        }
        // A command that was in flight may be executed when the fault is over.
        long last = windows.undisturbed(process, called, Math.min(givenBack, windows.gone(process)), 0);
        long until = last == Operation.NEVER ? last : last + leaseNanos(operation, terms);
        return new GivenUp(operation, called, until, false);
    }

    /**
     * {@return whether an operation is such an acquisition} One that has not returned yet may also still be waiting.
     */
    static boolean is(Operation operation) {
        return operation.called().what().acquires() && (!operation.isKnown() || reachedItsLimit(operation));
    }

    private static boolean reachedItsLimit(Operation operation) {
        return operation.is(Outcome.REFUSED)
                && operation.end() >= limit(operation)
                && operation.called().by() != By.REDISSON;
    }

    /** {@return when the wait ends at the latest} */
    private static long limit(Operation operation) {
        Called called = operation.called();
        return called.what() == What.TRY_WAIT ? called.at() + called.waitMillis() * 1_000_000 : Operation.NEVER;
    }

    private static long leaseNanos(Operation operation, Terms terms) {
        return terms.leaseNanos(operation.called().leaseMillis())
                + terms.answer().toNanos();
    }

    /** Whether the caller abandoned it, or its wait has ended, rather than that it failed. */
    private static boolean isOver(Operation operation) {
        return operation.is(Outcome.MISSED)
                || operation.is(Outcome.INTERRUPTED)
                || operation.is(Outcome.CANCELLED)
                || reachedItsLimit(operation);
    }
}

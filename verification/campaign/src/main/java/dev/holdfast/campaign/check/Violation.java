package dev.holdfast.campaign.check;

/**
 * A violation of a rule.
 *
 * @param at the time, in nanoseconds of the history's clock
 * @param subject the lock, the process, or the server
 * @param what a description of what happened
 */
public record Violation(long at, String subject, String what) {
    @Override
    public String toString() {
        return subject + " at " + at + ": " + what;
    }
}

package dev.holdfast.campaign.check;

/**
 * A promise that was not kept.
 *
 * @param at when, in nanoseconds of the history's clock
 * @param subject the lock, or the process
 * @param what happened, in words
 */
public record Violation(long at, String subject, String what) {
    @Override
    public String toString() {
        return subject + " at " + at + ": " + what;
    }
}

package dev.holdfast.cli.found;

import dev.holdfast.Holdfast;
import dev.holdfast.SemaphoreInfo;

/**
 * A semaphore as it is found in Redis.
 *
 * @param info its state
 */
public record FoundSemaphore(SemaphoreInfo info) {
    /** Its state does not depend on the number of permits that the caller names. */
    public static FoundSemaphore of(Holdfast holdfast, String name) {
        return new FoundSemaphore(holdfast.getSemaphore(name, 1).inspect());
    }

    /** {@return whether permits are held, or waited for} */
    public boolean isInUse() {
        return !info.holders().isEmpty() || !info.line().isEmpty();
    }

    /** {@return how many permits there are, as the last request has named them} */
    public int limit() {
        return info.limit().orElse(0);
    }
}

package dev.holdfast;

import java.time.Duration;

/**
 * What is known about a lost lease.
 *
 * @param reason why it was lost
 * @param held how long it had been held, from the grant to the loss
 * @param sinceConfirmed how long before the loss Redis had last confirmed it, counted from when the command was sent
 */
public record LeaseLoss(LossReason reason, Duration held, Duration sinceConfirmed) {
    /** {@return whether Redis may have the hold all the same: nobody has heard from it that it has not} */
    boolean mayStillBeInRedis() {
        return reason != LossReason.TAKEN && reason != LossReason.GONE;
    }
}

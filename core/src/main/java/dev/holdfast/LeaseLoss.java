package dev.holdfast;

import java.io.Serializable;
import java.time.Duration;

/**
 * What is known about a lost lease.
 *
 * @param reason why it was lost
 * @param held how long it had been held, from the grant until the loss was noticed
 * @param sinceConfirmed how long before that Redis had last confirmed it, by its grant or a renewal, counted from when that
 *     command was sent. Of a lock that was passed on within the client and not confirmed since, it is the hold before that
 *     was confirmed: then this may be longer than {@code held}
 */
public record LeaseLoss(LossReason reason, Duration held, Duration sinceConfirmed) implements Serializable {
    /** {@return whether Redis may have the hold all the same: nobody has heard from it that it has not} */
    boolean mayStillBeInRedis() {
        return reason != LossReason.TAKEN && reason != LossReason.GONE;
    }
}

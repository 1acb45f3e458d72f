package dev.holdfast;

import java.io.Serial;
import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The details of a lost lease. A value. */
public final class LeaseLoss implements Serializable {
    @Serial
    private static final long serialVersionUID = 1L;

    private final LossReason reason;
    private final Duration held;
    private final Duration sinceConfirmed;

    private LeaseLoss(LossReason reason, Duration held, Duration sinceConfirmed) {
        this.reason = Objects.requireNonNull(reason, "reason must not be null");
        this.held = Objects.requireNonNull(held, "held must not be null");
        this.sinceConfirmed = Objects.requireNonNull(sinceConfirmed, "sinceConfirmed must not be null");
    }

    /** {@return a loss with these values, for tests of code that handles losses} */
    public static LeaseLoss of(LossReason reason, Duration held, Duration sinceConfirmed) {
        return new LeaseLoss(reason, held, sinceConfirmed);
    }

    /** {@return why the lease was lost} */
    public LossReason reason() {
        return reason;
    }

    /** {@return how long the lock had been held, from the grant until the loss was noticed} */
    public Duration held() {
        return held;
    }

    /**
     * {@return how long before the loss was noticed Redis had last confirmed the lease, by its grant or a renewal,
     * counted from when that command was sent} If the lock came by a handoff within the client and was not confirmed
     * since, the last confirmation was that of the hold before. Then this may be longer than {@link #held()}.
     */
    public Duration sinceConfirmed() {
        return sinceConfirmed;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LeaseLoss that
                && reason == that.reason
                && held.equals(that.held)
                && sinceConfirmed.equals(that.sinceConfirmed);
    }

    @Override
    public int hashCode() {
        return Objects.hash(reason, held, sinceConfirmed);
    }

    @Override
    public String toString() {
        return "LeaseLoss[reason=" + reason + ", held=" + held + ", sinceConfirmed=" + sinceConfirmed + "]";
    }
}

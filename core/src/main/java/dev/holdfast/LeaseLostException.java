package dev.holdfast;

/**
 * Thrown to a caller that did hold the lock and lost it before giving it back. What it did under the lock since then was
 * not protected: it may have run beside another holder.
 */
public class LeaseLostException extends IllegalMonitorStateException {
    private static final long serialVersionUID = 1L;

    private final LossReason reason;

    /**
     * @param message names the lock, the owner and what happened
     * @param reason why the lease was lost
     */
    public LeaseLostException(String message, LossReason reason) {
        super(message);
        this.reason = reason;
    }

    /** {@return why the lease was lost} */
    public LossReason reason() {
        return reason;
    }
}

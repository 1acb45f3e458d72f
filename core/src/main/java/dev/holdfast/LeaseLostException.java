package dev.holdfast;

/**
 * Thrown to a caller that did hold the lock and lost it before giving it back. What it did under the lock since then was
 * not protected: it may have run beside another holder.
 */
public class LeaseLostException extends IllegalMonitorStateException {
    private static final long serialVersionUID = 1L;

    private final LeaseLoss loss;

    /**
     * @param message names the lock, the owner and what happened
     * @param loss what is known about it
     */
    public LeaseLostException(String message, LeaseLoss loss) {
        super(message);
        this.loss = loss;
    }

    /** {@return what is known about the loss: why, how long the lock had been held, and when Redis last confirmed it} */
    public LeaseLoss loss() {
        return loss;
    }

    /** {@return why the lease was lost} */
    public LossReason reason() {
        return loss.reason();
    }
}

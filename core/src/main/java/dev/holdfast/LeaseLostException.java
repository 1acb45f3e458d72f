package dev.holdfast;

/**
 * Thrown to a caller that held the lock and lost it before releasing it. Its work since the loss was not protected: it
 * may have run concurrently with another owner's.
 */
public class LeaseLostException extends IllegalMonitorStateException {
    private static final long serialVersionUID = 1L;

    private final LeaseLoss loss;

    /**
     * @param message names the lock, the owner and what happened
     * @param loss the details of the loss
     */
    public LeaseLostException(String message, LeaseLoss loss) {
        super(message);
        this.loss = loss;
    }

    /** {@return the details of the loss: why, how long the lock had been held, and when Redis last confirmed it} */
    public LeaseLoss loss() {
        return loss;
    }

    /** {@return why the lease was lost} */
    public LossReason reason() {
        return loss.reason();
    }
}

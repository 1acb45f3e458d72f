package dev.holdfast;

/**
 * Permits of a {@link DistributedSemaphore} that one request was granted. They are one hold: renewed, lost and released together, by
 * {@link #close()} or {@link #closeAfter}, which keeps them busy for a while. They have no fencing {@linkplain #token() token}.
 */
public interface Permits extends Lease {
    /** {@return how many they are} Local, no I/O. */
    int permits();

    /**
     * {@return a number from 0 to {@link DistributedSemaphore#permits()} - 1 that no other holder has: a worker number} It stays the
     * same for as long as the permits are held, and is given to another request after that; the one that came back last is given
     * first. It is as exclusive as the permits are: a holder that has lost them has lost it. Local, no I/O.
     */
    int number();
}

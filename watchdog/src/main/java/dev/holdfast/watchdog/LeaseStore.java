package dev.holdfast.watchdog;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The server that stores the leases. The keeper passes many leases at once and expects one outcome for each, in the
 * order of the batch.
 *
 * <p>Both methods are called without a lock held, on the timer's thread or on a thread that called
 * {@link LeaseKeeper#verifyAll()} or kept a lease, and must not block: waiting belongs in the returned stage. To throw,
 * to return null, or to complete exceptionally or with a list of another length means {@link RenewalOutcome#UNKNOWN}
 * for the whole batch. A stage that does not complete times out.
 *
 * @param <S> the data by which the store finds a lease
 */
public interface LeaseStore<S extends LeaseSubject> {
    /** The usual {@link #batchLimit()}. */
    int DEFAULT_BATCH_LIMIT = 500;

    /** Extends each lease that this client still has to the watchdog timeout, counted from now. */
    CompletionStage<List<RenewalOutcome>> renew(List<S> batch);

    /** Checks whether this client still has each lease, and extends none. */
    CompletionStage<List<RenewalOutcome>> verify(List<S> batch);

    /** {@return the largest batch size that does not block the server for other commands for too long; called once} */
    default int batchLimit() {
        return DEFAULT_BATCH_LIMIT;
    }
}

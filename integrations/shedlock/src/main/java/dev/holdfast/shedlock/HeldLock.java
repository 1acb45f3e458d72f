package dev.holdfast.shedlock;

import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.ReleaseUnconfirmedException;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lock of a task that runs. */
final class HeldLock extends AbstractSimpleLock {
    private static final Logger log = LoggerFactory.getLogger(HeldLock.class);

    private final Lease lease;
    private final boolean isRenewed;

    /** As of {@link System#nanoTime()}; of the last extension, if there was one. */
    private final long begin = System.nanoTime();

    HeldLock(LockConfiguration task, Lease lease, boolean isRenewed) {
        super(task);
        this.lease = lease;
        this.isRenewed = isRenewed;
    }

    /**
     * A lock that is lost by now is nothing to undo: its loss was reported when it happened. Nor is a release that is only
     * unconfirmed a failure of the task, which has run under its lock; the client reports it.
     */
    @Override
    protected void doUnlock() {
        try {
            Duration closed = remainingOfLeast();
            if (closed.toMillis() > 0) {
                lease.closeAfter(closed);
            } else {
                lease.close();
            }
        } catch (LeaseLostException e) {
            log.debug("The lock of task '{}' was lost before it was released", lockConfiguration.getName(), e);
        } catch (ReleaseUnconfirmedException e) {
            log.debug("The release of the lock of task '{}' is unconfirmed", lockConfiguration.getName(), e);
        } catch (LockException e) {
            throw HoldfastLockProvider.failed(
                    "the lock of task '" + lockConfiguration.getName() + "' could not be released", e);
        } finally {
            warnOfOverrun();
        }
    }

    /** Nothing else would say why a task has run twice. */
    private void warnOfOverrun() {
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        Duration limit = lockConfiguration.getLockAtMostFor();
        if (!isRenewed && took.compareTo(limit) > 0) {
            log.warn(
                    "Task '{}' took {} ms, longer than its lockAtMostFor of {} ms: another instance may have run it meanwhile",
                    lockConfiguration.getName(),
                    took.toMillis(),
                    limit.toMillis());
        }
    }

    private Duration remainingOfLeast() {
        try {
            return Duration.between(ClockProvider.now(), lockConfiguration.getLockAtLeastUntil());
        } catch (Throwable e) {
            closeAfter(e, lease);
            throw e;
        }
    }

    /** Releases the lock after a failure. */
    static void closeAfter(Throwable failure, Lease lease) {
        try {
            lease.close();
        } catch (Throwable e) {
            failure.addSuppressed(e);
        }
    }

    @Override
    protected Optional<SimpleLock> doExtend(LockConfiguration extended) {
        try {
            lease.extend(HoldfastLockProvider.atLeastOneMilli(extended.getLockAtMostFor()));
            return Optional.of(new HeldLock(extended, lease, isRenewed));
        } catch (LeaseLostException e) {
            log.debug("The lock of task '{}' was lost before it was extended", lockConfiguration.getName(), e);
            return Optional.empty();
        } catch (LockException e) {
            throw HoldfastLockProvider.failed(
                    "the lock of task '" + lockConfiguration.getName() + "' could not be extended", e);
        }
    }
}

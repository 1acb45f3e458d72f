package dev.holdfast.shedlock;

import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
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

    HeldLock(LockConfiguration task, Lease lease) {
        super(task);
        this.lease = lease;
    }

    /** A lock that is lost by now is nothing to undo: its loss was reported when it happened. */
    @Override
    protected void doUnlock() {
        Duration closed = Duration.between(ClockProvider.now(), lockConfiguration.getLockAtLeastUntil());
        try {
            if (closed.toMillis() > 0) {
                lease.closeAfter(closed);
            } else {
                lease.close();
            }
        } catch (LeaseLostException e) {
            log.debug("The lock of task '{}' was lost before it was released", lockConfiguration.getName(), e);
        } catch (LockException e) {
            throw HoldfastLockProvider.failed(
                    "the lock of task '" + lockConfiguration.getName() + "' could not be released", e);
        }
    }

    @Override
    protected Optional<SimpleLock> doExtend(LockConfiguration extended) {
        try {
            lease.extend(HoldfastLockProvider.atLeastOneMilli(extended.getLockAtMostFor()));
            return Optional.of(new HeldLock(extended, lease));
        } catch (LeaseLostException e) {
            log.debug("The lock of task '{}' was lost before it was extended", lockConfiguration.getName(), e);
            return Optional.empty();
        } catch (LockException e) {
            throw HoldfastLockProvider.failed(
                    "the lock of task '" + lockConfiguration.getName() + "' could not be extended", e);
        }
    }
}

package dev.holdfast.shedlock;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * A lock provider for ShedLock: each task's lock is a plain lock of Holdfast, held by a handle of its own for {@code
 * lockAtMostFor}, or, by a {@linkplain #renewed renewed} provider, for as long as the task runs.
 *
 * <p>The lock is released by its owner only: a task that took longer than {@code lockAtMostFor} does not release the lock
 * of the instance that runs it after that, and a warning names the task, its duration and the limit. {@code lockAtLeastFor} is kept by {@link Lease#closeAfter}, so it needs no process
 * that stays alive. A lock that is lost while the task runs is reported to the listeners of the client; ShedLock has no
 * way to report it to the task.
 *
 * <p>Does not exclude tasks that use another provider of ShedLock on the same Redis.
 */
public final class HoldfastLockProvider implements ExtensibleLockProvider {
    private static final String PREFIX = "shedlock:";

    private final Holdfast holdfast;
    private final String prefix;
    private final boolean isRenewed;

    /** Locks whose names are those of the tasks, with {@code shedlock:} in front. */
    public HoldfastLockProvider(Holdfast holdfast) {
        this(holdfast, PREFIX);
    }

    /**
     * Locks of other names.
     *
     * @param prefix what is in front of the name of a task; empty for nothing. The key prefix of the client comes before it
     */
    public HoldfastLockProvider(Holdfast holdfast, String prefix) {
        this(holdfast, prefix, false);
    }

    private HoldfastLockProvider(Holdfast holdfast, String prefix, boolean isRenewed) {
        this.holdfast = Objects.requireNonNull(holdfast, "holdfast");
        this.prefix = Objects.requireNonNull(prefix, "prefix");
        this.isRenewed = isRenewed;
    }

    /**
     * {@return a provider whose locks are renewed until their tasks have ended} So a task may take any time, and that of a
     * process that died is free when the watchdog timeout of the client has passed. {@code lockAtMostFor} is no limit then;
     * {@link dev.holdfast.HoldfastBuilder#maxHold} is one. {@code lockAtLeastFor} is kept as by any other. Has no scheduler
     * of its own, unlike ShedLock's {@code KeepAliveLockProvider}.
     *
     * @param holdfast the client
     */
    public static HoldfastLockProvider renewed(Holdfast holdfast) {
        return renewed(holdfast, PREFIX);
    }

    /**
     * {@link #renewed(Holdfast)} with locks of other names.
     *
     * @param holdfast the client
     * @param prefix what is in front of the name of a task; empty for nothing. The key prefix of the client comes before it
     */
    public static HoldfastLockProvider renewed(Holdfast holdfast, String prefix) {
        return new HoldfastLockProvider(holdfast, prefix, true);
    }

    /**
     * Acquires the lock of a task if it is free; does not wait for it.
     *
     * @return empty if another owner has it
     * @throws net.javacrumbs.shedlock.support.LockException if Redis does not answer, or refuses the command; or if the
     *     thread is interrupted, whose interrupt status is set again then
     */
    @Override
    public Optional<SimpleLock> lock(LockConfiguration task) {
        DistributedLock lock = holdfast.getLock(prefix + task.getName());
        try {
            Optional<Lease> granted = isRenewed
                    ? lock.tryAcquire(Duration.ZERO)
                    : lock.tryAcquire(Duration.ZERO, atLeastOneMilli(task.getLockAtMostFor()));
            return granted.map(lease -> held(task, lease));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed("interrupted before the lock was acquired", e);
        } catch (LockException e) {
            throw failed("the lock of task '" + task.getName() + "' could not be acquired", e);
        }
    }

    private SimpleLock held(LockConfiguration task, Lease lease) {
        try {
            return new HeldLock(task, lease, isRenewed);
        } catch (Throwable e) {
            HeldLock.closeAfter(e, lease);
            throw e;
        }
    }

    static Duration atLeastOneMilli(Duration time) {
        Duration least = Duration.ofMillis(1);
        return time.compareTo(least) < 0 ? least : time;
    }

    static net.javacrumbs.shedlock.support.LockException failed(String message, Exception cause) {
        return new net.javacrumbs.shedlock.support.LockException(message, cause);
    }
}

package dev.holdfast.spring.locked;

import dev.holdfast.DistributedLock;
import dev.holdfast.FencedLock;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.ReleaseUnconfirmedException;
import dev.holdfast.internal.spring.EnteredLevels;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One level of a thread's hold. A level that was lost stays lost: the levels above it do not acquire the lock again, so
 * that a check before the commit cannot take their hold for its own.
 */
final class HeldLevel implements Hold {
    private static final Logger log = LoggerFactory.getLogger(HeldLevel.class);

    private final LockTarget target;
    private final DistributedLock lock;
    private final OptionalLong token;
    private @Nullable LeaseLostException loss;
    private boolean isLeft;

    private HeldLevel(LockTarget target, DistributedLock lock) {
        this.target = target;
        this.lock = lock;
        this.token = lock instanceof FencedLock fenced ? OptionalLong.of(fenced.getToken()) : OptionalLong.empty();
    }

    /**
     * Enters the lock.
     *
     * @return null if it stayed busy
     * @throws LeaseLostException if the thread holds it already, but has lost it
     * @throws LockException if Redis failed or did not answer
     * @throws InterruptedException if the thread was interrupted while it waited
     */
    static @Nullable HeldLevel enter(LockTarget target, Timing timing) throws InterruptedException {
        return enter(target, target.lock(), timing);
    }

    /** {@link #enter} for the lock of the target. */
    static @Nullable HeldLevel enter(LockTarget target, DistributedLock lock, Timing timing)
            throws InterruptedException {
        List<HeldLevel> outer = Holds.ownedByThread().stream()
                .filter(hold -> hold.target.overlaps(target))
                .toList();
        outer.forEach(HeldLevel::check);
        if (!timing.acquire(lock)) {
            return null;
        }
        long levels = outer.stream()
                .filter(hold -> hold.target.mode() == target.mode())
                .count();
        HeldLevel hold = entered(target, lock, levels);
        if (hold == null) {
            lock.unlock();
            outer.forEach(HeldLevel::check);
            throw usedBeside(lock);
        }
        return hold;
    }

    /**
     * {@return the level, or null if it is none above the outer ones, which were lost since their check: then the acquire
     * has made a new hold} What fails here releases the lock.
     */
    private static @Nullable HeldLevel entered(LockTarget target, DistributedLock lock, long outer) {
        try {
            if (outer > 0 && EnteredLevels.of(lock) <= outer) {
                return null;
            }
            HeldLevel hold = new HeldLevel(target, lock);
            Holds.enter(hold);
            return hold;
        } catch (IllegalMonitorStateException e) {
            lock.unlock(); // a hold that was lost already has no token to show; its release says why
            throw e;
        } catch (Throwable e) {
            Failures.releaseAfter(e, lock::unlock);
            throw e;
        }
    }

    private static IllegalStateException usedBeside(DistributedLock lock) {
        return new IllegalStateException(
                "the lock " + lock.name() + " of a @Locked method was unlocked by the same thread beside it");
    }

    @Override
    public LockTarget target() {
        return target;
    }

    @Override
    public boolean isLevel() {
        return true;
    }

    @Override
    public boolean hasEnded() {
        return isLeft;
    }

    @Override
    public boolean isValid() {
        return loss == null && lock.isHeldByCurrentThread();
    }

    @Override
    public OptionalLong token(String name) {
        return token;
    }

    /** A level that was left is not verified. */
    @Override
    public void check() {
        if (isLeft) {
            return;
        }
        if (loss == null && EnteredLevels.of(lock) == 0) {
            loss = lossOfLevel();
        }
        if (loss != null) {
            throw loss;
        }
    }

    /** The release of a level that was lost says why. */
    private LeaseLostException lossOfLevel() {
        try {
            lock.unlock();
        } catch (LeaseLostException e) {
            return e;
        }
        throw usedBeside(lock);
    }

    @Override
    public void release() {
        try {
            if (loss != null) {
                throw loss;
            }
            lock.unlock();
        } catch (ReleaseUnconfirmedException e) {
            log.debug("The release of the lock {} is unconfirmed", target.name(), e);
        } finally {
            isLeft = true;
            Holds.leave(this);
        }
    }
}

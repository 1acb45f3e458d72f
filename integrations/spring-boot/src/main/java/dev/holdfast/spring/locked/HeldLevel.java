package dev.holdfast.spring.locked;

import dev.holdfast.DistributedLock;
import dev.holdfast.FencedLock;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.internal.spring.EnteredLevels;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One level of a thread's hold. A level that was lost stays lost: the levels above it do not acquire the lock anew, so
 * that a check before the commit cannot take their hold for its own.
 */
final class HeldLevel implements Hold {
    private final DistributedLock lock;
    private final OptionalLong token;
    private @Nullable LeaseLostException loss;
    private boolean isLeft;

    private HeldLevel(DistributedLock lock) {
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
    static @Nullable HeldLevel enter(DistributedLock lock, Patience patience) throws InterruptedException {
        List<HeldLevel> outer = Holds.ownedByThread().stream()
                .filter(hold -> hold.name().equals(lock.name()))
                .toList();
        outer.forEach(HeldLevel::check);
        if (!patience.acquire(lock)) {
            return null;
        }
        if (!outer.isEmpty() && !isReentry(lock, outer.size())) {
            lock.unlock();
            outer.forEach(HeldLevel::check);
            throw usedBeside(lock);
        }
        HeldLevel hold = entered(lock);
        Holds.enter(hold);
        return hold;
    }

    /** The outer levels may have been lost since the check: then the acquire has made a new hold. */
    private static boolean isReentry(DistributedLock lock, int outer) {
        try {
            return EnteredLevels.of(lock) > outer;
        } catch (LockException e) {
            lock.unlock();
            throw e;
        }
    }

    private static IllegalStateException usedBeside(DistributedLock lock) {
        return new IllegalStateException(
                "the lock " + lock.name() + " of a @Locked method was unlocked by the same thread beside it");
    }

    /** A hold that was lost already has no token to show. */
    private static HeldLevel entered(DistributedLock lock) {
        try {
            return new HeldLevel(lock);
        } catch (IllegalMonitorStateException e) {
            lock.unlock();
            throw e;
        }
    }

    @Override
    public String name() {
        return lock.name();
    }

    @Override
    public boolean isValid() {
        return loss == null && lock.isHeldByCurrentThread();
    }

    @Override
    public OptionalLong token() {
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

    /**
     * Leaves the level.
     *
     * @throws LeaseLostException if it was lost
     * @throws LockException if Redis failed or did not answer; the level counts as left
     */
    void release() {
        Holds.leave(this);
        isLeft = true;
        if (loss != null) {
            throw loss;
        }
        lock.unlock();
    }
}

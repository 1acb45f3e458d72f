package dev.holdfast.spring.locked;

import dev.holdfast.DistributedLock;
import dev.holdfast.FencedLock;
import dev.holdfast.LeaseLostException;
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
        if (lock.getHoldCount() <= outer.size()) {
            // The outer levels were lost since the check, and this one is a new hold.
            lock.unlock();
            outer.forEach(HeldLevel::check);
        }
        HeldLevel hold = entered(lock);
        Holds.enter(hold);
        return hold;
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

    /**
     * Verifies that the level is held, unless it was left; local.
     *
     * @throws LeaseLostException if it was lost
     */
    void check() {
        if (isLeft) {
            return;
        }
        if (loss == null && !lock.isHeldByCurrentThread()) {
            loss = lossOfLevel();
        }
        if (loss != null) {
            throw loss;
        }
    }

    /** The release of a level that was lost says why. */
    private @Nullable LeaseLostException lossOfLevel() {
        try {
            lock.unlock();
            return null;
        } catch (LeaseLostException e) {
            return e;
        }
    }

    /**
     * Leaves the level.
     *
     * @throws LeaseLostException if it was lost
     * @throws dev.holdfast.LockException if Redis failed or did not answer; the level counts as left
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

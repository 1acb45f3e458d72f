package dev.holdfast.spring.integration;

import dev.holdfast.DistributedLock;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.internal.spring.EnteredLevels;
import org.jspecify.annotations.Nullable;

/**
 * A lock whose lost hold is never replaced by a new one of the same thread. Holdfast itself lets a thread acquire a lock
 * again on top of lost levels, each of which is then unlocked; callers of Spring Integration take the success of a
 * re-entry for the proof that they still hold the lock.
 */
final class ThreadHold {
    private final DistributedLock lock;
    private final String name;
    private final ThreadLevels levels;

    ThreadHold(DistributedLock lock, ThreadLevels levels) {
        this.lock = lock;
        this.name = lock.name();
        this.levels = levels;
    }

    /** An acquire in one of its forms, blocking or not. */
    @FunctionalInterface
    interface Acquire<E extends Exception> {
        /** {@return whether the lock was acquired} */
        boolean on(DistributedLock lock) throws E;
    }

    String name() {
        return name;
    }

    /** {@return whether the calling thread has entered the lock and not left it, though it may have lost it} */
    boolean isEntered() {
        return levels.of(name) > 0;
    }

    /**
     * Enters the lock.
     *
     * @return whether the lock was acquired
     * @throws LeaseLostException if the thread had a hold and has lost it; it has none any more
     * @throws LockException if Redis failed or did not answer; the levels are as before
     */
    <E extends Exception> boolean enter(Acquire<E> acquire) throws E {
        int before = levels.of(name);
        requireHeld(before);
        try {
            if (!acquire.on(lock)) {
                return false;
            }
        } catch (LeaseLostException e) {
            giveUp(before);
            throw e;
        }
        if (!isReentered(before)) {
            throw giveUpLost(before + 1);
        }
        return true;
    }

    /**
     * {@return whether the acquire was one of a further level; the hold may have been lost just before it} What fails here
     * gives the level up.
     */
    private boolean isReentered(int before) {
        try {
            levels.set(name, before + 1);
            return before == 0 || EnteredLevels.of(lock) > before;
        } catch (Throwable e) {
            levels.set(name, before);
            try {
                giveUpLevel();
            } catch (Throwable ofRelease) {
                e.addSuppressed(ofRelease);
            }
            throw e;
        }
    }

    /** What is known to be lost must not be acquired again. */
    private void requireHeld(int before) {
        if (before > 0 && EnteredLevels.of(lock) == 0) {
            throw giveUpLost(before);
        }
    }

    private LeaseLostException giveUpLost(int count) {
        LeaseLostException loss = giveUp(count);
        if (loss == null) {
            throw new IllegalStateException("the lock " + name + " was used beside the registry by the same thread");
        }
        return loss;
    }

    /** {@return the loss, if the release of any level reported one} */
    private @Nullable LeaseLostException giveUp(int count) {
        levels.set(name, 0);
        LeaseLostException loss = null;
        for (int left = count; left > 0; left--) {
            LeaseLostException ofLevel;
            try {
                ofLevel = giveUpLevel();
            } catch (Error e) {
                giveUp(left - 1);
                throw e;
            }
            loss = ofLevel == null ? loss : ofLevel;
        }
        return loss;
    }

    /** The release of a lost level is not sent. Another one that fails is repeated by the client. */
    private @Nullable LeaseLostException giveUpLevel() {
        try {
            lock.unlock();
            return null;
        } catch (LeaseLostException e) {
            return e;
        } catch (LockException e) {
            return null;
        }
    }

    /**
     * Leaves the lock.
     *
     * @throws LeaseLostException if the thread has lost its hold; it has left all levels then
     * @throws IllegalMonitorStateException if it had no hold
     * @throws LockException if Redis failed or did not answer; the level counts as left
     */
    void leave() {
        int before = levels.of(name);
        if (before == 0) {
            throw new IllegalMonitorStateException("the current thread does not hold the lock " + name);
        }
        levels.set(name, before - 1);
        try {
            lock.unlock();
        } catch (LeaseLostException e) {
            giveUp(before - 1);
            throw e;
        }
    }
}

package dev.holdfast.internal.node;

import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.SynchronizerKey;

/** Where the locks and latches of a client are: each has a {@link Home}, the Redis node that has its key at present. */
@FunctionalInterface
public interface Homes {
    /** {@return the home of this lock at present} */
    Home of(SynchronizerKey lock);

    /** {@return whether this is the home of the lock at present} Has no effect, and so may be called under any monitor. */
    default boolean isHome(LockKey lock, Home home) {
        return of(lock) == home;
    }

    /** {@return what the locks have in common that one command can be about} */
    default int group(LockKey lock) {
        return 0;
    }

    /** {@return whether a lock can get another home} */
    default boolean canMove() {
        return true;
    }

    /**
     * {@return whether a lock may have got another home so far} True before it has one. As long as it is false, the home has all
     * that was acknowledged. It becomes true before the home changes, so what is found to be at its home while this is false
     * precedes every move.
     */
    default boolean mayHaveMoved() {
        return canMove();
    }

    /** {@return the one home of all locks} */
    static Homes fixed(Home home) {
        return new Homes() {
            @Override
            public Home of(SynchronizerKey lock) {
                return home;
            }

            @Override
            public boolean canMove() {
                return false;
            }
        };
    }
}

package dev.holdfast.internal.session;

import dev.holdfast.internal.kind.LockKey;

/** Where the locks of a client are: each lock has a {@link Home}, the Redis node that has its key at present. */
@FunctionalInterface
public interface Homes {
    /** {@return the home of this lock} */
    Home of(LockKey lock);

    /** {@return the one home of all locks} */
    static Homes fixed(Home home) {
        return lock -> home;
    }
}

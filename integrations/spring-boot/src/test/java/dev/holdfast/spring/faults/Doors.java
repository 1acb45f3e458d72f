package dev.holdfast.spring.faults;

import java.util.Map;

/** Ways to a lock. Its implementations are loaded anew with woven classes behind them. */
public interface Doors extends AutoCloseable {
    /** A use of a lock from its request to its release. */
    @FunctionalInterface
    interface Scene {
        void play() throws Throwable;
    }

    /** {@return the uses, by name} Each is of one lock, the same for all. */
    Map<String, Scene> scenes();

    /** {@return whether no owner of any client holds the lock} */
    boolean isFree();

    /** Makes the lock free after a scene that has left it held. */
    void forceFree();

    @Override
    void close();
}

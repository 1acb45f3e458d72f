package dev.holdfast.interleavings;

import net.bytebuddy.agent.ByteBuddyAgent;

/**
 * Where the engine's threads meet within it: before each monitor that they enter, and before each use of an atomic. The
 * engine's classes are {@linkplain Weaver rewritten} so that they come by here, and for a scenario that is explored closely
 * that is a {@linkplain Orders#point point}. Within a monitor there is none, since whoever came between would wait for it.
 */
public final class Seams {
    /** How many monitors the thread has entered. */
    private static final ThreadLocal<int[]> ENTERED = ThreadLocal.withInitial(() -> new int[1]);

    private Seams() {}

    /** To be called before a class of the engine is loaded. */
    static void open() {
        ByteBuddyAgent.install().addTransformer(new Weaver());
    }

    /** The thread is about to enter a monitor. */
    public static void entering(String where) {
        touching(where);
        ENTERED.get()[0]++;
    }

    /** The thread has left it. */
    public static void left() {
        ENTERED.get()[0]--;
    }

    /** The thread is about to use an atomic. */
    public static void touching(String where) {
        if (ENTERED.get()[0] == 0) {
            Orders.seam(where);
        }
    }
}

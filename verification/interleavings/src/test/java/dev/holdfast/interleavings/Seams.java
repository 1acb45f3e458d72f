package dev.holdfast.interleavings;

import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.concurrent.ForkJoinPool;
import net.bytebuddy.agent.ByteBuddyAgent;

/**
 * The places where the engine's threads interact within it: before each monitor that they enter, and before each use of
 * an atomic. The engine's classes are {@linkplain Weaver rewritten} to call this class there, and for a scenario that
 * is explored closely each call is a {@linkplain Orders#point point}. Within a monitor there is none, since another
 * thread would only wait for the monitor.
 */
public final class Seams {
    /** How many monitors the thread has entered. */
    private static final ThreadLocal<int[]> ENTERED = ThreadLocal.withInitial(() -> new int[1]);

    /** Guarded by the class. */
    private static boolean opened;

    private Seams() {}

    /**
     * Rewrites the engine's classes so that they call this class from now on: those that are loaded, and later ones.
     * Only the first call has an effect; stress tests with real threads do not need it. The hidden classes of lambdas
     * cannot be rewritten, and need not: their code is in the class that declares them.
     */
    static synchronized void open() {
        if (opened) {
            return;
        }
        opened = true;
        Instrumentation machine = ByteBuddyAgent.install();
        machine.addTransformer(new Weaver(), true);
        try {
            for (Class<?> loaded : machine.getAllLoadedClasses()) {
                if (Weaver.isOfEngine(loaded) && !loaded.isHidden()) {
                    machine.retransformClasses(loaded);
                }
            }
        } catch (UnmodifiableClassException e) {
            throw new IllegalStateException("the engine cannot be rewritten", e);
        }
    }

    /** The thread has entered a monitor. */
    public static void entered() {
        ENTERED.get()[0]++;
    }

    /** The thread has left the monitor. */
    public static void left() {
        ENTERED.get()[0]--;
    }

    /** {@return whether the calling thread is within a monitor of the engine} */
    static boolean isWithinMonitor() {
        return ENTERED.get()[0] > 0;
    }

    /** In place of {@link ForkJoinPool#managedBlock}. */
    public static void block(ForkJoinPool.ManagedBlocker awaited) throws InterruptedException {
        Orders.block(awaited);
    }

    /** The thread is about to use an atomic, or to enter a monitor. */
    public static void touching(String where) {
        if (!isWithinMonitor()) {
            Orders.seam(where);
        }
    }
}

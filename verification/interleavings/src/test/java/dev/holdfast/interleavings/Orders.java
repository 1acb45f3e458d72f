package dev.holdfast.interleavings;

import static dev.holdfast.interleavings.Interleavings.require;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a scenario in every order of its threads that differs at the points where they leave the structure: where they
 * send a command, run a callback or take the next task. One thread runs at a time, from one such {@link #point} to the
 * next, and every choice of the next thread is tried. So it is exhaustive, up to a number of times that a thread is
 * interrupted although it could have continued; waiting for work is not an interruption.
 *
 * <p>It is coarser than {@link Interleavings}, which switches at each access to memory, and meant for what is too large
 * for that: a whole engine. No other thread runs between two points, under a monitor or not. A scenario that is small
 * enough is {@linkplain #exploreClosely explored closely}: then each monitor and each atomic of the engine is a point,
 * too.
 *
 * <p>A point must not be reached under a monitor that other threads need. They would wait for a thread that does not
 * run, and the scenario fails with that message.
 */
public final class Orders {
    /**
     * {@code -Dinterleavings.switches}: how often in an order a thread that could continue is interrupted, unless a
     * scenario specifies more.
     */
    private static final int MOST_INTERRUPTED = Integer.getInteger("interleavings.switches", 1);

    private static final long HUNG_SECONDS = 20;

    /** Set on the thread that explores and chooses. */
    private static final ThreadLocal<@Nullable Orders> EXPLORING = new ThreadLocal<>();

    private static final ThreadLocal<@Nullable Actor> ACTING = new ThreadLocal<>();

    /** The option that was chosen, and the number of options. */
    private static final class Choice {
        final int options;
        int chosen;

        Choice(int options) {
            this.options = options;
        }
    }

    /** A thread of the scenario. */
    private static final class Actor implements Runnable {
        final Semaphore turn = new Semaphore(0);
        final Semaphore back;
        final String name;
        final Orders orders;
        private final Runnable part;
        private final Thread thread = new Thread(this);

        // Written by the only running thread.
        String at = "the beginning";

        @Nullable
        BooleanSupplier work;

        boolean over;
        boolean ended;

        @Nullable
        Throwable failure;

        Actor(String name, Runnable part, Orders orders, Semaphore back) {
            this.name = name;
            this.orders = orders;
            this.part = part;
            this.back = back;
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public void run() {
            turn.acquireUninterruptibly();
            ACTING.set(this);
            try {
                part.run();
            } catch (Throwable e) {
                failure = e;
            }
            ended = true;
            back.release();
        }

        void pause(String where) {
            at = where;
            back.release();
            turn.acquireUninterruptibly();
        }

        boolean isAble() {
            BooleanSupplier awaited = work;
            return !ended && (awaited == null || awaited.getAsBoolean());
        }

        /** Runs the thread until its next point, or its end. */
        void resume() throws InterruptedException {
            turn.release();
            if (!back.tryAcquire(HUNG_SECONDS, TimeUnit.SECONDS)) {
                StringBuilder stack = new StringBuilder();
                for (StackTraceElement frame : thread.getStackTrace()) {
                    stack.append("\n    at ").append(frame);
                }
                throw new AssertionError(name + " is stuck" + stack);
            }
        }
    }

    private final List<Choice> path = new ArrayList<>();
    private final List<String> steps = new ArrayList<>();
    private final boolean closely;
    private final int mostInterrupted;
    private boolean seamReached;
    private int depth;

    private Orders(boolean closely, int mostInterrupted) {
        this.closely = closely;
        this.mostInterrupted = mostInterrupted;
    }

    /** Tries a scenario, which creates all it uses anew each time, and prints the number of its orders. */
    public static void explore(Runnable scenario) {
        new Orders(false, MOST_INTERRUPTED).tryAll(scenario);
    }

    /**
     * Tries a scenario in all orders that also differ where threads interact within the structure, at its {@link
     * Seams}.
     */
    public static void exploreClosely(Runnable scenario) {
        exploreClosely(MOST_INTERRUPTED, scenario);
    }

    /** The same with this many interruptions, for a scenario that needs them and is small enough. */
    public static void exploreClosely(int interruptions, Runnable scenario) {
        new Orders(true, Math.max(interruptions, MOST_INTERRUPTED)).tryAll(scenario);
    }

    private void tryAll(Runnable scenario) {
        Seams.open();
        EXPLORING.set(this);
        int tried = 0;
        long start = System.nanoTime();
        try {
            do {
                tried++;
                depth = 0;
                steps.clear();
                scenario.run();
            } while (next());
        } catch (Throwable e) {
            throw new AssertionError(e.getMessage() + "; in order " + tried + ":\n  " + String.join("\n  ", steps), e);
        } finally {
            EXPLORING.remove();
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            System.out.printf("%s: %d orders, %d ms%n", Interleavings.caller(), tried, millis);
        }
        require(tried > 1, "the threads of the scenario interact");
        require(seamReached || !closely, "the classes of the engine are rewritten, and reach a seam");
    }

    /**
     * Within a scenario: runs each part on a thread of its own, and returns when all have ended or have nothing to do.
     */
    public static void together(Runnable... parts) {
        Orders orders = EXPLORING.get();
        if (orders == null) {
            throw new IllegalStateException("together must be called within a scenario");
        }
        Semaphore back = new Semaphore(0);
        List<Actor> actors = new ArrayList<>();
        for (Runnable part : parts) {
            actors.add(new Actor("thread " + (actors.size() + 1), part, orders, back));
        }
        try {
            orders.run(actors);
        } catch (InterruptedException e) {
            throw new AssertionError("no thread is interrupted here", e);
        }
        for (Actor actor : actors) {
            if (actor.failure != null) {
                throw new AssertionError(actor.name + " failed: " + actor.failure, actor.failure);
            }
        }
    }

    /** Another thread may continue here. Does nothing on a thread that is not part of a scenario. */
    public static void point(String where) {
        Actor actor = ACTING.get();
        if (actor != null) {
            actor.pause(where);
        }
    }

    /** The same, but no point while the thread is within a monitor of the engine, for which others would only wait. */
    public static void pointOutsideMonitors(String where) {
        if (!Seams.isWithinMonitor()) {
            point(where);
        }
    }

    /** A place within the structure: a point, if the scenario is explored closely. */
    static void seam(String where) {
        Actor actor = ACTING.get();
        if (actor != null && actor.orders.closely) {
            actor.orders.seamReached = true;
            actor.pause(where);
        }
    }

    /**
     * For a part that runs tasks of the others: waits until there is one.
     *
     * @return false if there is none, and the other parts have ended
     */
    public static boolean awaitWork(BooleanSupplier work) {
        Actor actor = ACTING.get();
        if (actor == null) {
            return work.getAsBoolean();
        }
        actor.work = work;
        actor.pause("its next task");
        actor.work = null;
        return !actor.over;
    }

    private void run(List<Actor> actors) throws InterruptedException {
        Actor current = null;
        int interrupted = 0;
        for (List<Actor> able = able(actors, current); !able.isEmpty(); able = able(actors, current)) {
            boolean interrupts = current != null && able.get(0) == current && current.work == null;
            int chosen = choose(interrupts && interrupted == mostInterrupted ? 1 : able.size());
            interrupted += interrupts && chosen > 0 ? 1 : 0;
            current = able.get(chosen);
            steps.add(current.name + " continues at " + current.at);
            current.resume();
        }
        for (Actor actor : actors) {
            if (!actor.ended) {
                actor.over = true;
                actor.resume();
            }
        }
    }

    /** {@return the actors that can run, the one that ran last first} */
    private static List<Actor> able(List<Actor> actors, @Nullable Actor last) {
        List<Actor> able = new ArrayList<>();
        for (Actor actor : actors) {
            if (actor.isAble()) {
                able.add(actor == last ? 0 : able.size(), actor);
            }
        }
        return able;
    }

    private int choose(int options) {
        if (depth == path.size()) {
            path.add(new Choice(options));
        }
        Choice choice = path.get(depth++);
        require(choice.options == options, "the scenario takes the same steps after the same choices");
        return choice.chosen;
    }

    /** Advances to the untried order that has most in common with this one. False if all were tried. */
    private boolean next() {
        while (!path.isEmpty()) {
            Choice last = path.get(path.size() - 1);
            if (++last.chosen < last.options) {
                return true;
            }
            path.remove(path.size() - 1);
        }
        return false;
    }
}

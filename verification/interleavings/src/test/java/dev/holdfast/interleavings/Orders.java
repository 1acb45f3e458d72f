package dev.holdfast.interleavings;

import static dev.holdfast.interleavings.Interleavings.require;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
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

    /** Threads that are used again: to start some for each of ten thousand orders takes longer than the orders. */
    private static final Executor THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "orders");
        thread.setDaemon(true);
        return thread;
    });

    /** The option that was chosen, and the number of options. */
    private static final class Choice {
        final int options;
        int chosen;

        Choice(int options) {
            this.options = options;
        }
    }

    /** A thread waits in the structure when all have ended or have nothing to do. */
    @SuppressWarnings("serial")
    public static final class StillWaits extends Error {
        private StillWaits(String where) {
            super(where);
        }
    }

    /** A thread of the scenario. */
    private static final class Actor implements Runnable {
        final Semaphore turn = new Semaphore(0);
        final String name;
        final Turns turns;
        private final Runnable part;
        private volatile @Nullable Thread thread;

        // Written by the only running thread.
        String at = "the beginning";

        @Nullable
        BooleanSupplier work;

        boolean over;
        boolean ended;

        /** Whether it is interrupted when it runs next. */
        boolean interrupted;

        @Nullable
        Throwable failure;

        Actor(String name, Runnable part, Turns turns) {
            this.name = name;
            this.part = part;
            this.turns = turns;
            THREADS.execute(this);
        }

        @Override
        public void run() {
            thread = Thread.currentThread();
            turn.acquireUninterruptibly();
            ACTING.set(this);
            try {
                part.run();
            } catch (Throwable e) {
                failure = e;
            }
            ACTING.remove();
            // The thread is used again.
            boolean unused = Thread.interrupted();
            ended = true;
            turns.passOn();
        }

        void pause(String where) {
            at = where;
            Actor next = turns.next();
            if (next != this) {
                turns.passTo(next);
                turn.acquireUninterruptibly();
            }
            if (interrupted) {
                interrupted = false;
                Thread.currentThread().interrupt();
            }
        }

        boolean isAble() {
            BooleanSupplier awaited = work;
            return !ended && (awaited == null || awaited.getAsBoolean());
        }

        AssertionError stuck() {
            StringBuilder stack = new StringBuilder();
            Thread running = thread;
            if (running != null) {
                for (StackTraceElement frame : running.getStackTrace()) {
                    stack.append("\n    at ").append(frame);
                }
            }
            return new AssertionError(name + " is stuck" + stack);
        }
    }

    /**
     * Which thread of a scenario runs. The thread whose turn it is chooses the next one itself, and so goes on without a
     * switch of threads where it chooses itself; the thread that explores waits until nobody can run.
     */
    private final class Turns {
        private final List<Actor> actors = new ArrayList<>();
        private final Semaphore back = new Semaphore(0);
        private volatile @Nullable Actor current;

        private final BooleanSupplier explored;

        // Used by the only running thread.
        private int interrupted;
        private boolean choosing;
        private boolean finishing;

        @Nullable
        Throwable failure;

        Turns(BooleanSupplier explored) {
            this.explored = explored;
        }

        boolean isClose() {
            return closely;
        }

        void seamReached() {
            seamReached = true;
        }

        /** {@return the thread that runs next; null if none is able to} */
        @Nullable
        Actor next() {
            if (finishing) {
                return null;
            }
            choosing = true;
            try {
                boolean isExplored = explored.getAsBoolean();
                Actor last = current;
                List<Actor> able = able(actors, last);
                if (able.isEmpty()) {
                    return null;
                }
                boolean interrupts = last != null && able.get(0) == last && last.work == null;
                boolean free = isExplored && !(interrupts && interrupted == mostInterrupted);
                int chosen = choose(free ? able.size() : 1);
                interrupted += interrupts && chosen > 0 ? 1 : 0;
                Actor next = able.get(chosen);
                steps.add(next.name + " continues at " + next.at);
                return next;
            } finally {
                choosing = false;
            }
        }

        void passTo(@Nullable Actor next) {
            current = next;
            (next == null ? back : next.turn).release();
        }

        /** For a thread that has ended. */
        void passOn() {
            try {
                passTo(next());
            } catch (Throwable e) {
                failure = e;
                passTo(null);
            }
        }

        void runAll() throws InterruptedException {
            passOn();
            awaitBack();
            finishing = true;
            for (Actor actor : actors) {
                if (!actor.ended) {
                    actor.over = true;
                    passTo(actor);
                    awaitBack();
                }
            }
        }

        private void awaitBack() throws InterruptedException {
            if (!back.tryAcquire(HUNG_SECONDS, TimeUnit.SECONDS)) {
                Actor stuck = current;
                throw stuck == null ? new AssertionError("no thread is stuck, and none runs") : stuck.stuck();
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
        togetherWhile(() -> true, parts);
    }

    /**
     * The same, for parts of which some have to wait in the structure before the others begin, or go on for long when all is decided:
     * while it is not so, a thread runs as far as it can, and then the first of those that can run.
     */
    public static void togetherWhile(BooleanSupplier explored, Runnable... parts) {
        Orders orders = EXPLORING.get();
        if (orders == null) {
            throw new IllegalStateException("together must be called within a scenario");
        }
        Turns turns = orders.new Turns(explored);
        for (Runnable part : parts) {
            turns.actors.add(new Actor("thread " + (turns.actors.size() + 1), part, turns));
        }
        try {
            turns.runAll();
        } catch (InterruptedException e) {
            throw new AssertionError("no thread is interrupted here", e);
        }
        for (Actor actor : turns.actors) {
            if (actor.failure != null) {
                throw new AssertionError(actor.name + " failed: " + actor.failure, actor.failure);
            }
        }
        if (turns.failure != null) {
            throw new AssertionError(turns.failure);
        }
    }

    /** Another thread may continue here. Does nothing on a thread that is not part of a scenario. */
    public static void point(String where) {
        Actor actor = ACTING.get();
        if (actor != null && !actor.turns.choosing && !actor.over) {
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
        if (actor != null && !actor.turns.choosing && !actor.over && actor.turns.isClose()) {
            actor.turns.seamReached();
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

    /**
     * A thread of a scenario waits for this, and the others go on; any other thread is parked.
     *
     * @throws StillWaits if all others have ended or have nothing to do
     */
    static void block(ForkJoinPool.ManagedBlocker awaited) throws InterruptedException {
        Actor waiting = ACTING.get();
        if (waiting == null) {
            ForkJoinPool.managedBlock(awaited);
            return;
        }
        while (!awaited.isReleasable()) {
            if (!awaitWork(() -> awaited.isReleasable() || waiting.interrupted)) {
                throw new StillWaits("a thread waits for ever");
            }
            if (Thread.currentThread().isInterrupted() && awaited.block()) {
                return;
            }
        }
    }

    /** Interrupts the thread of another part. */
    public static void interrupt(Thread thread) {
        Actor actor = ACTING.get();
        if (actor != null) {
            actor.turns.actors.stream()
                    .filter(other -> other.thread == thread && !other.ended)
                    .forEach(other -> other.interrupted = true);
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

package dev.holdfast.internal.node;

import dev.holdfast.watchdog.Deadline;
import dev.holdfast.watchdog.Deadlines;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work that waits until it can be resumed, or until its deadline, at which it is given up: one of the two, once. What it
 * throws is logged: no caller could handle that, and it must not keep other work waiting.
 */
abstract class PendingWork extends Deadline {
    private static final Logger log = LoggerFactory.getLogger(PendingWork.class);

    private final Deadlines deadlines;
    private final Runnable resume;
    private final Runnable giveUp;

    PendingWork(Deadlines deadlines, Runnable resume, Runnable giveUp) {
        this.deadlines = deadlines;
        this.resume = resume;
        this.giveUp = giveUp;
    }

    /** Ends the wait. Returns false if that had ended. */
    abstract boolean leave();

    final void resume() {
        if (leave()) {
            proceed();
        }
    }

    /** Resumes the work after its wait has ended. */
    final void proceed() {
        deadlines.cancel(this);
        run(resume, "resumed");
    }

    @Override
    protected final void expired() {
        if (leave()) {
            run(giveUp, "given up");
        }
    }

    private static void run(Runnable action, String how) {
        try {
            action.run();
        } catch (Throwable e) {
            log.error("A command that waited for Redis threw an exception when it was {}", how, e);
        }
    }
}

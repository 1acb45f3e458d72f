package dev.holdfast;

import dev.holdfast.watchdog.Deadline;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Delays an acquisition until no caller can decline a level of its owner's hold any more; then the acquisition attempts
 * again. The wait does not last beyond the command timeout after the hold was granted, nor beyond half of the time that
 * the acquisition's own caller still waits: the callback executor may have no thread to deliver the level.
 *
 * <pre>
 *   WAITING --- decided, or the time is over, or the client's timer is closed ---> ENDED, with one attempt
 * </pre>
 */
final class DecisionWait extends Deadline {
    private final Acquisition waiting;
    private final long untilNanos;
    private final AtomicBoolean ended = new AtomicBoolean();

    private DecisionWait(Acquisition waiting, long untilNanos) {
        this.waiting = waiting;
        this.untilNanos = untilNanos;
    }

    /** {@return whether the acquisition waits, and so attempts later} */
    static boolean begin(Acquisition acquisition, Hold held) {
        Engine engine = acquisition.engine();
        long now = engine.now();
        long patienceNanos = held.sinceNanos() + engine.commandTimeoutNanos() - now;
        if (acquisition.waits() && !acquisition.waitsForEver()) {
            patienceNanos = Math.min(patienceNanos, (acquisition.deadlineNanos() - now) / 2);
        }
        DecisionWait wait = new DecisionWait(acquisition, now + patienceNanos);
        if (patienceNanos <= 0 || !held.whenAllDecided(wait::end)) {
            return false;
        }
        wait.schedule();
        return true;
    }

    private void schedule() {
        if (!waiting.engine().deadlines().schedule(this, untilNanos)) {
            end();
        } else if (ended.get()) {
            waiting.engine().deadlines().cancel(this);
        }
    }

    @Override
    protected void expired() {
        end();
    }

    private void end() {
        if (ended.compareAndSet(false, true)) {
            waiting.engine().deadlines().cancel(this);
            waiting.engine().attempt(waiting);
        }
    }
}

package dev.holdfast.spring.locked;

import java.util.concurrent.CompletableFuture;
import kotlin.Unit;
import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.ThreadContextElement;

/** Gives the hold of a coroutine to each thread while that runs the coroutine, or one that it has started, and observes its end. */
final class CoroutineHold extends AbstractCoroutineContextElement implements ThreadContextElement<Boolean> {
    private final LeaseHold hold;

    /** Whether the coroutine has begun to run; written by the first thread that runs it. Another one cannot start it before. */
    private volatile boolean runs;

    CoroutineHold(LeaseHold hold) {
        // A function that the coroutine calls has a hold of its own beside this one.
        super(new CoroutineContext.Key<CoroutineHold>() {});
        this.hold = hold;
    }

    /** {@return when the coroutine has ended, which is at once if it does not run: it is cancelled then} */
    CompletableFuture<?> end() {
        return runs ? hold.end() : CompletableFuture.completedFuture(null);
    }

    /** {@return whether the thread has entered the hold} A coroutine that outlives the one that it comes from has it no more. */
    @Override
    public Boolean updateThreadContext(CoroutineContext context) {
        Job job = context.get(Job.Key);
        if (!runs && job != null) {
            runs = true;
            job.invokeOnCompletion(cause -> {
                hold.end().complete(null);
                return Unit.INSTANCE;
            });
        }
        if (hold.end().isDone()) {
            return false;
        }
        Holds.enter(hold);
        return true;
    }

    @Override
    public void restoreThreadContext(CoroutineContext context, Boolean entered) {
        if (entered) {
            Holds.leave(hold);
        }
    }
}

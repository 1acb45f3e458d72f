package dev.holdfast.internal.latch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The commands of a client about one latch: one is in flight at a time, in the order of the calls. So there is at most one of
 * unknown outcome, and a command with an older number than the last one is known to have been executed. Countdowns that wait one
 * behind the other become one command.
 *
 * <p>A lane is retired when it has nothing to do, and accepts no command then.
 */
final class LatchLane {
    private final Latches latches;
    private final LatchKey latch;
    private final CompletableFuture<@Nullable Void> empty = new CompletableFuture<>();

    /** The first is in flight. Guarded by this. */
    private final Deque<LatchCommand> commands = new ArrayDeque<>();

    /** Guarded by this. */
    private boolean retired;

    LatchLane(Latches latches, LatchKey latch) {
        this.latches = latches;
        this.latch = latch;
    }

    LatchKey latch() {
        return latch;
    }

    /** {@return completes when the lane is retired} */
    CompletableFuture<@Nullable Void> whenEmpty() {
        return empty;
    }

    /** {@return the answer; null if the lane is retired} */
    @Nullable
    CompletableFuture<Long> submit(LatchCommand command) {
        synchronized (this) {
            if (retired) {
                return null;
            }
            if (commands.size() > 1
                    && commands.peekLast() instanceof CountdownCommand last
                    && command instanceof CountdownCommand further) {
                last.add(further);
                return last.answer();
            }
            commands.add(command);
            if (commands.size() > 1) {
                return command.answer();
            }
        }
        run(command);
        return command.answer();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the next command runs, whatever became of this one
    private void run(LatchCommand command) {
        command.answer().whenComplete((result, failure) -> ended());
        command.send();
    }

    private void ended() {
        LatchCommand next;
        synchronized (this) {
            commands.remove();
            next = commands.peek();
            retired = next == null;
        }
        if (next == null) {
            latches.remove(this);
            empty.complete(null);
        } else {
            run(next);
        }
    }
}

package dev.holdfast.script.semaphore;

import dev.holdfast.script.TimedScripts.Setting;
import dev.holdfast.script.semaphore.SemaphoreScripts.Effect;
import dev.holdfast.script.semaphore.SemaphoreState.Hold;
import java.util.List;

/**
 * One command: the semaphore before it, and what it has done.
 *
 * @param before without what has expired
 */
record SemaphoreStep(SemaphoreState before, SemaphoreCommand command, Setting setting, Effect effect) {
    SemaphoreState after() {
        return effect.after();
    }

    long nowMs() {
        return setting.nowMicros() / 1000;
    }

    boolean listens(String client) {
        return listeners(SemaphoreCommand.grantChannel(client)) > 0;
    }

    long listeners(String channel) {
        return setting.listening().stream().filter(channel::equals).count();
    }

    /** {@return the holds after the command that were not there before, or were over} */
    List<Hold> begun() {
        return after().holds.values().stream().filter(this::hasBegun).toList();
    }

    private boolean hasBegun(Hold hold) {
        Hold was = before.hold(hold.owner(), hold.tenure());
        return was == null || (was.isOver(nowMs()) && !was.equals(hold));
    }
}

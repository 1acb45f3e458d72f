package dev.holdfast.script.semaphore;

import dev.holdfast.script.semaphore.SemaphoreState.Hold;
import java.util.ArrayList;
import java.util.List;

/** What a command keeps although Redis refuses a part of it. */
final class SemaphoreRefusals {
    private SemaphoreRefusals() {}

    static List<String> faults(SemaphoreStep step) {
        List<String> faults = new ArrayList<>();
        SemaphoreState before = step.before();
        SemaphoreState after = step.after();
        if (after.expires == -1) {
            faults.add("the key has no expiry");
        }
        long permits = after.holds.values().stream().mapToLong(Hold::permits).sum();
        if (after.held < permits) {
            faults.add("more permits are held than are counted");
        }
        long numbers =
                after.holds.values().stream().mapToLong(Hold::number).distinct().count();
        if (numbers < after.holds.size()) {
            faults.add("two holds have one number");
        }
        for (Hold hold : before.holds.values()) {
            boolean own = hold.owner().equals(step.command().owner());
            if (!own && !hold.isOver(step.nowMs()) && !hold.equals(after.holds.get(hold.owner()))) {
                faults.add("the hold of another owner");
            }
        }
        for (Hold hold : after.holds.values()) {
            if (hold.until() > after.expires) {
                faults.add("the key ends before a hold");
            }
        }
        String owner = step.command().owner();
        boolean error = step.effect().reply().get(0) instanceof String;
        if (error && after.holds.containsKey(owner) && !before.holds.containsKey(owner)) {
            faults.add("what was refused has given permits");
        }
        return faults;
    }
}

package dev.holdfast.script.readwrite;

import dev.holdfast.script.readwrite.ReadWriteCommand.Side;
import dev.holdfast.script.readwrite.ReadWriteCommand.Verb;
import dev.holdfast.script.readwrite.ReadWriteState.Hold;
import java.util.ArrayList;
import java.util.List;

/** What a command keeps although Redis refuses a part of it. */
final class ReadWriteRefusals {
    private ReadWriteRefusals() {}

    static List<String> faults(ReadWriteStep step, List<String> missing) {
        List<String> faults = new ArrayList<>();
        ReadWriteState before = step.before();
        ReadWriteState after = step.after();
        if (after.expires == -1) {
            faults.add("the key has no expiry");
        }
        for (Hold hold : before.holds.values()) {
            boolean ended = hold.side() == Side.READ && hold.until() < step.nowMs();
            if (after.hold(hold.owner(), hold.tenure()) == null
                    && !ended
                    && !step.ending().contains(hold)) {
                faults.add("the hold of another owner has ended");
            }
        }
        boolean writes = after.holds.values().stream().anyMatch(hold -> hold.side() == Side.WRITE);
        if (writes && (after.isShared() || after.holds.size() > 1)) {
            faults.add("there is a writer, and another hold");
        }
        for (Hold hold : after.holds.values()) {
            if (hold.until() > after.expires) {
                faults.add("the key ends before a lease");
            }
        }
        if (after.isShared() && after.holding < after.holds.size()) {
            faults.add("more readers hold it than are counted");
        }
        boolean changed = !after.isSameAs(before);
        if (step.effect().isError() && changed && !isHarmless(step, missing)) {
            faults.add("what was refused has changed the lock: " + before + " -> " + after);
        }
        return faults;
    }

    /**
     * The readers may have been looked at, and those whose leases have ended be gone; the key may live longer than a renewal needs; and without DEL, what is
     * left of a lock that was released stays.
     */
    private static boolean isHarmless(ReadWriteStep step, List<String> missing) {
        ReadWriteState before = step.before();
        boolean dead = before.isShared() && before.due < step.nowMs();
        boolean renewed =
                step.command().verb() == Verb.RENEW && step.after().fields.equals(before.fields);
        return dead || renewed || missing.contains("DEL");
    }
}

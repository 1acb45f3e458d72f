package dev.holdfast.script.readwrite;

import dev.holdfast.script.readwrite.ReadWriteCommand.Side;
import dev.holdfast.script.readwrite.ReadWriteCommand.Verb;
import dev.holdfast.script.readwrite.ReadWriteState.Entry;
import dev.holdfast.script.readwrite.ReadWriteState.Hold;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a command keeps although Redis refuses a part of it, or has refused a part of earlier ones: holds, expiries, enough in
 * the counts, and either their places or a message for those that wait.
 */
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
        if (after.writersCounted < after.writers.size() || after.readersCounted < after.readers.size()) {
            faults.add("more clients wait than are counted");
        }
        before.writers.forEach((place, entry) -> {
            if (!entry.equals(after.writers.get(place)) && isLost(step, entry, Side.WRITE, missing)) {
                faults.add("a writer has lost its place without a message");
            }
        });
        before.readers.forEach((client, entry) -> {
            if (!entry.equals(after.readers.get(client)) && isLost(step, entry, Side.READ, missing)) {
                faults.add("a reader has lost its place without a message");
            }
        });
        // Where an earlier refusal has left too many readers counted, it leaves the lock to them.
        boolean isCounted = !before.isShared() || before.holding == before.holds.size();
        boolean frees = step.command().verb() == Verb.RELEASE
                && isCounted
                && !step.ending().isEmpty()
                && step.ending().size() == before.holds.size();
        if (frees
                && !missing.contains("DEL")
                && !missing.contains("HMGET")
                && step.ending().stream().anyMatch(hold -> after.hold(hold.owner(), hold.tenure()) != null)) {
            faults.add("the lock was not released");
        }
        boolean changed = !after.isSameAs(before);
        if (step.effect().isError() && changed && !isHarmless(step, missing)) {
            faults.add("what was refused has changed the lock: " + before + " -> " + after);
        }
        return faults;
    }

    /** {@return whether a client that waited, and still would, is neither in line nor notified} */
    private static boolean isLost(ReadWriteStep step, Entry entry, Side side, List<String> missing) {
        boolean canNotify = Stream.of("PUBLISH", "SPUBLISH", "DEL").noneMatch(missing::contains);
        boolean takenOver = step.isLooking() && step.before().isOver(step.nowMs());
        boolean notified = step.effect().messages().stream()
                .anyMatch(message -> message.channel().equals(ReadWriteCommand.CHANNEL)
                        || (message.channel().equals(ReadWriteCommand.grantChannel(entry.client(), side))
                                && message.text().startsWith(entry.owner() + " " + entry.tenure() + " ")));
        return canNotify
                && !takenOver
                && !notified
                && !step.isLeaving(entry)
                && step.listens(entry.client(), side)
                && !entry.client().equals(step.command().client())
                && !step.command().verb().isRedissons();
    }

    /**
     * The readers may have been looked at, and those whose leases have ended be gone; writers that are not subscribed may
     * have been passed over, and readers in line been admitted; the key may live longer than a renewal needs, or for two
     * milliseconds if it had less left; and without DEL, what is left of a lock that was released stays.
     */
    private static boolean isHarmless(ReadWriteStep step, List<String> missing) {
        ReadWriteState before = step.before();
        boolean dead = before.isShared() && before.due < step.nowMs();
        boolean passed = before.isShared()
                && step.command().verb() == Verb.ACQUIRE
                && step.command().side() == Side.READ
                && before.writersCounted + before.readersCounted > 0;
        boolean isKept = step.after().fields.equals(before.fields);
        boolean renewed = isKept && step.command().verb() == Verb.RENEW;
        boolean restored = isKept
                && missing.contains("HSET")
                && step.after().expires == Math.max(before.expires, step.nowMs() + 2);
        return dead || passed || renewed || restored || missing.contains("DEL");
    }
}

package dev.holdfast.campaign.worker;

import dev.holdfast.LeaseLoss;
import dev.holdfast.LockEvent;
import dev.holdfast.LockListener;
import dev.holdfast.campaign.history.Loss;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.ReportChannel;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Maps each owner's hold to the acquisition that it began with, so that events of the client's listener can be recorded
 * with it. The listener is notified of an owner, with some delay: a loss that concerns an older hold of the same owner
 * is recognized by its age, and an event without a hold is left out. It may also be notified of a loss before the
 * acquisition has returned to its caller, since a hold can be lost as soon as it has begun: that is kept until then.
 * Thread-safe.
 */
final class Holds implements LockListener {
    private final Diary diary;
    private final Duration watchdogTimeout;
    private final Duration longestAnswer;
    private final Map<String, Held> held = new ConcurrentHashMap<>();
    private final Map<String, Early> early = new ConcurrentHashMap<>();

    /** @param since before the acquisition was called */
    private record Held(Op op, long since, boolean watched) {}

    /** A loss that may concern an acquisition which has not returned yet. */
    private record Early(long grantedAfter, Loss loss) {}

    /**
     * @param longestAnswer the longest time from the sending of a renewal to the notification of the listener, if no
     *     process is stopped
     */
    Holds(Diary diary, Duration watchdogTimeout, Duration longestAnswer) {
        this.diary = diary;
        this.longestAnswer = longestAnswer;
        this.watchdogTimeout = watchdogTimeout;
    }

    /**
     * An owner was granted a level.
     *
     * @param levels the number of levels that it has now; 1 begins a hold
     * @return the acquisition that its hold began with
     */
    Op granted(String lock, String owner, Call call, int levels, boolean watched) {
        Held granted = new Held(call.op(), call.at(), watched);
        Held current = held.merge(
                key(lock, owner),
                granted,
                (before, ours) ->
                        levels > 1 ? new Held(before.op(), before.since(), before.watched() || watched) : ours);
        Early lost = early.remove(key(lock, owner));
        if (lost != null) {
            announce(current, lost);
        }
        return current.op();
    }

    /** The owner releases its last level, or its hold is known to be lost. */
    void ended(String lock, String owner) {
        held.remove(key(lock, owner));
    }

    @Override
    public void renewed(LockEvent.Renewed event) {
        renewed(event.name(), owner(event));
    }

    void renewed(String lock, String owner) {
        with(lock, owner, current -> {
            if (current.watched()) {
                long sentAfter = System.nanoTime() - longestAnswer.toNanos();
                diary.confirmed(current.op(), Math.max(current.since(), sentAfter), watchdogTimeout);
            }
        });
    }

    @Override
    public void atRisk(LockEvent.AtRisk event) {
        with(event.name(), owner(event), current -> diary.atRisk(current.op()));
    }

    @Override
    public void lost(LockEvent.Lost event) {
        lost(event.name(), owner(event), event.loss());
    }

    void lost(String lock, String owner, LeaseLoss loss) {
        Early lost = new Early(System.nanoTime() - loss.held().toNanos(), Call.loss(loss.reason()));
        early.put(key(lock, owner), lost);
        with(lock, owner, current -> announce(current, lost));
    }

    /**
     * Called by the notification of the loss and by the grant; the diary records the loss once even if both find the
     * other's entry.
     */
    private void announce(Held current, Early lost) {
        if (current.since() - lost.grantedAfter() <= 0) {
            diary.announced(current.op(), ReportChannel.LISTENER, lost.loss());
        }
    }

    private void with(String lock, String owner, Consumer<Held> action) {
        Held current = held.get(key(lock, owner));
        if (current != null) {
            action.accept(current);
        }
    }

    /** An earlier build has no constant for the read lock. */
    private static String owner(LockEvent event) {
        return event.lockType().name().equals("READ") ? event.owner() + Operation.READS : event.owner();
    }

    private static String key(String lock, String owner) {
        return owner + " " + lock;
    }
}

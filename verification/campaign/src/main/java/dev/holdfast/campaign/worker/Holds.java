package dev.holdfast.campaign.worker;

import dev.holdfast.LeaseLoss;
import dev.holdfast.LockEvent;
import dev.holdfast.LockListener;
import dev.holdfast.campaign.history.Loss;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Told;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Which acquisition each owner's hold goes back to, so that what the client's listener hears can be recorded with it. The
 * listener is told of an owner some time after the fact: what concerns an older hold of the same owner is told apart by
 * its age, or left out. Or it is told before the acquisition has come back to its caller, for a hold can be lost as soon
 * as it has begun: that is kept until it has. Safe for use by many threads.
 */
final class Holds implements LockListener {
    private final Diary diary;
    private final Duration watchdogTimeout;
    private final Duration longestAnswer;
    private final Map<String, Held> held = new ConcurrentHashMap<>();
    private final Map<String, Early> early = new ConcurrentHashMap<>();

    /** @param since before the acquisition was asked for */
    private record Held(Op op, long since, boolean watched) {}

    /** A loss that may be of an acquisition which has not come back yet. */
    private record Early(long grantedAfter, Loss loss) {}

    /** @param longestAnswer how long after a renewal was sent the listener is told of it at most, if nobody is stopped */
    Holds(Diary diary, Duration watchdogTimeout, Duration longestAnswer) {
        this.diary = diary;
        this.longestAnswer = longestAnswer;
        this.watchdogTimeout = watchdogTimeout;
    }

    /**
     * An owner was granted a level.
     *
     * @param levels it has now; with the first of them a hold begins
     * @return the acquisition that its hold goes back to
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

    /** The owner gives back its last level, or what it holds is known to be lost. */
    void ended(String lock, String owner) {
        held.remove(key(lock, owner));
    }

    @Override
    public void renewed(LockEvent.Renewed event) {
        renewed(event.lockName(), event.owner());
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
        with(event.lockName(), event.owner(), current -> diary.atRisk(current.op()));
    }

    @Override
    public void lost(LockEvent.Lost event) {
        lost(event.lockName(), event.owner(), event.loss());
    }

    void lost(String lock, String owner, LeaseLoss loss) {
        Early lost = new Early(System.nanoTime() - loss.held().toNanos(), Call.loss(loss.reason()));
        early.put(key(lock, owner), lost);
        with(lock, owner, current -> announce(current, lost));
    }

    /** Says it once, though both the one who hears of the loss and the one who has the grant may find the other there. */
    private void announce(Held current, Early lost) {
        if (current.since() - lost.grantedAfter() <= 0) {
            diary.announced(current.op(), Told.LISTENER, lost.loss());
        }
    }

    private void with(String lock, String owner, Consumer<Held> action) {
        Held current = held.get(key(lock, owner));
        if (current != null) {
            action.accept(current);
        }
    }

    private static String key(String lock, String owner) {
        return owner + " " + lock;
    }
}

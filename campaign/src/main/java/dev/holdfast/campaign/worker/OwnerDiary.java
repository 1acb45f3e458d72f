package dev.holdfast.campaign.worker;

import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.What;
import dev.holdfast.campaign.schedule.Turn;
import java.time.Duration;
import java.util.Optional;

/**
 * What is recorded of one owner, who can enter again what it holds.
 *
 * @param owner its name, {@code "<client id>:<owner id>"}
 */
record OwnerDiary(Diary diary, Holds holds, By by, String owner) {
    /** Something that is asked of a lock, and says itself what came of it unless it throws. */
    interface Deed {
        void carryOut(Call call) throws Exception;
    }

    /** The owner is about to ask for a lock. */
    Call asks(Turn turn) {
        long number = diary.nextNumber();
        return switch (turn.way()) {
            case LOCK, LOCK_INTERRUPTIBLY -> diary.called(number, What.LOCK, by, turn.lock(), owner, turn.lease());
            case TRY -> diary.called(number, What.TRY, by, turn.lock(), owner, Duration.ZERO, turn.lease());
            case TRY_WAIT ->
                diary.called(number, What.TRY_WAIT, by, turn.lock(), owner, turn.longestWait(), turn.lease());
        };
    }

    /** The owner is about to do something with a lock that it holds. */
    Call calls(What what, String lock, Optional<Duration> lease) {
        return diary.called(diary.nextNumber(), what, by, lock, owner, lease);
    }

    /** {@return the acquisition that the hold goes back to which the owner has now} */
    Op granted(Turn turn, Call call, long fence, int levels) {
        call.granted(fence, levels);
        return holds.granted(turn.lock(), owner, call, levels, turn.lease().isEmpty());
    }

    /** {@return the acquisition that a handle's hold goes back to, whose owner has this name in Redis} */
    Op held(Turn turn, String nameInRedis, Call call) {
        return holds.granted(turn.lock(), nameInRedis, call, 1, turn.lease().isEmpty());
    }

    /** The owner gives back a level. */
    void leaves(String lock, int levels, Deed deed) {
        if (levels <= 1) {
            holds.ended(lock, owner);
        }
        Call call = calls(What.UNLOCK, lock, Optional.empty());
        try {
            deed.carryOut(call);
        } catch (Exception e) {
            call.threw(e);
        }
    }
}

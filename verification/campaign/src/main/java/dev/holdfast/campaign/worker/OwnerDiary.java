package dev.holdfast.campaign.worker;

import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.What;
import dev.holdfast.campaign.schedule.Turn;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntSupplier;

/**
 * Records the calls of one owner.
 *
 * @param owner its name, {@code "<client id>:<owner id>"}
 */
record OwnerDiary(Diary diary, Holds holds, By by, String owner) {
    /** {@return that of the same owner for the side of a read-write lock that a turn acquires} */
    OwnerDiary of(Turn turn) {
        return turn.reads() ? reading() : this;
    }

    /** {@return that of the same owner for the read lock of a read-write lock} */
    OwnerDiary reading() {
        return new OwnerDiary(diary, holds, by, owner + Operation.READS);
    }

    /** {@return the name by which its holds are known, if it has this name in Redis} */
    String inJournal(String nameInRedis) {
        return owner.endsWith(Operation.READS) ? nameInRedis + Operation.READS : nameInRedis;
    }

    /** A call to a lock, which records its own outcome unless it throws. */
    interface Deed {
        void carryOut(Call call) throws Exception;
    }

    /** Records that the owner is about to acquire a lock. */
    Call acquires(Turn turn, Diary.Name name) {
        long number = diary.nextNumber();
        Call call =
                switch (turn.way()) {
                    case LOCK, LOCK_INTERRUPTIBLY -> diary.called(number, What.LOCK, by, name, owner, turn.lease());
                    case TRY -> diary.called(number, What.TRY, by, name, owner, Duration.ZERO, turn.lease());
                    case TRY_WAIT ->
                        diary.called(number, What.TRY_WAIT, by, name, owner, turn.longestWait(), turn.lease());
                };
        return turn.mayBeRejected() ? call.thatMayBeRejected() : call;
    }

    /** Records that the owner is about to call an operation on a lock that it holds. */
    Call calls(What what, String lock, Optional<Duration> lease) {
        return diary.called(diary.nextNumber(), what, by, Diary.Name.plain(lock), owner, lease);
    }

    /** Records that the owner awaits a latch. */
    Call awaits(String latch, Duration wait) {
        return diary.called(diary.nextNumber(), What.AWAIT, by, Diary.Name.plain(latch), owner, wait, Optional.empty());
    }

    /**
     * Records that the owner releases a lock that it is about to wait for.
     *
     * @param room whether it waits for room in a buffer, or for an item
     * @param wait when the wait ends at the latest
     */
    Call regains(Turn turn, Diary.Name name, boolean room, Duration wait) {
        holds.ended(name.lock(), owner);
        calls(What.UNLOCK, name.lock(), Optional.empty()).sent();
        Call call = diary.called(diary.nextNumber(), What.REGAIN, by, name, owner, wait, turn.lease());
        diary.waitsFor(call.op(), room);
        return call;
    }

    /**
     * Records the reply to an acquisition.
     *
     * @param token the token, 0 if there is none; empty if the lock is busy
     * @param levels the number of levels that the owner has now
     * @return the grant, if the lock was not busy
     */
    Optional<Grant> answered(Turn turn, Call call, OptionalLong token, IntSupplier levels) {
        if (token.isEmpty()) {
            call.refused();
            return Optional.empty();
        }
        return Optional.of(granted(turn, call, token.getAsLong(), levels.getAsInt(), owner));
    }

    /**
     * Records that the owner was granted a level.
     *
     * @param nameInRedis the name of the owner in Redis
     */
    Grant granted(Turn turn, Call call, long token, int levels, String nameInRedis) {
        return granted(turn, turn.lock(), call, token, levels, nameInRedis);
    }

    /**
     * The same for one of several locks.
     *
     * @param lock its name
     */
    Grant granted(Turn turn, String lock, Call call, long token, int levels, String nameInRedis) {
        call.granted(token, levels);
        Op op = holds.granted(lock, nameInRedis, call, levels, turn.lease().isEmpty());
        return new Grant(lock, op, token);
    }

    /** Records and performs the release of a level. */
    void leaves(String lock, int levels, Deed deed) {
        if (levels <= 1) {
            holds.ended(lock, owner);
        }
        leaves(lock, Optional.empty(), deed);
    }

    /** Records and performs a release, after which the lock stays busy for a time, if one is given. */
    void leaves(String lock, Optional<Duration> keep, Deed deed) {
        Call call = calls(keep.isPresent() ? What.CLOSE_AFTER : What.UNLOCK, lock, keep);
        try {
            deed.carryOut(call);
        } catch (Exception e) {
            call.threw(e);
        }
    }
}

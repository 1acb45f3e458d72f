package dev.holdfast.campaign.worker;

import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.ReportChannel;
import dev.holdfast.campaign.history.What;
import dev.holdfast.campaign.schedule.Turn;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RLock;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;

/** Redisson's lock, used by a thread that blocks, but is neither interrupted nor cancels a call. */
final class RedissonDoor implements Door {
    /** Redisson's value for a lease that its watchdog renews. */
    private static final long WATCHED = -1;

    private final RedissonClient redisson;
    private final Diary diary;
    private final String owner;
    private final boolean readWrite;

    /** @param readWrite whether it is a read-write lock */
    RedissonDoor(RedissonClient redisson, Diary diary, String owner, boolean readWrite) {
        this.readWrite = readWrite;
        this.redisson = redisson;
        this.diary = diary;
        this.owner = owner;
    }

    /** It blocks, but is not interrupted. */
    @Override
    public boolean isBlocking() {
        return false;
    }

    @Override
    public Optional<Stay> enter(Turn turn) {
        RLock lock = lock(turn);
        String owner = turn.reads() ? this.owner + Operation.READS : this.owner;
        long number = diary.nextNumber();
        Diary.Name name = Diary.Name.plain(turn.lock());
        Optional<Duration> lease = turn.lease();
        Call call =
                switch (turn.way()) {
                    case LOCK, LOCK_INTERRUPTIBLY -> diary.called(number, What.LOCK, By.REDISSON, name, owner, lease);
                    case TRY, TRY_WAIT ->
                        diary.called(number, What.TRY_WAIT, By.REDISSON, name, owner, turn.longestWait(), lease);
                };
        try {
            if (!acquire(lock, turn)) {
                call.refused();
                return Optional.empty();
            }
            call.granted(0, 1);
            return Optional.of(new Guest(lock, new Grant(turn.lock(), call.op(), 0), owner));
        } catch (RedisException e) {
            call.failed();
        } catch (InterruptedException e) {
            call.threw(e);
        }
        return Optional.empty();
    }

    private RLock lock(Turn turn) {
        if (!readWrite) {
            return redisson.getLock(turn.lock());
        }
        RReadWriteLock both = redisson.getReadWriteLock(turn.lock());
        return turn.reads() ? both.readLock() : both.writeLock();
    }

    private static boolean acquire(RLock lock, Turn turn) throws InterruptedException {
        long lease = turn.lease().map(Duration::toMillis).orElse(WATCHED);
        switch (turn.way()) {
            case LOCK, LOCK_INTERRUPTIBLY -> {
                lock.lock(lease, TimeUnit.MILLISECONDS);
                return true;
            }
            case TRY, TRY_WAIT -> {
                return lock.tryLock(turn.longestWait().toMillis(), lease, TimeUnit.MILLISECONDS);
            }
        }
        throw new AssertionError(turn.way());
    }

    /** A hold whose loss is not reported. */
    private final class Guest implements Stay {
        private final RLock lock;
        private final Grant grant;
        private final String owner;

        Guest(RLock lock, Grant grant, String owner) {
            this.lock = lock;
            this.grant = grant;
            this.owner = owner;
        }

        @Override
        public Grant grant() {
            return grant;
        }

        /**
         * Queries Redis. If one check finds the hold and a later one does too, the hold was there in between: its
         * thread has acquired no other.
         */
        @Override
        public boolean isValid() {
            try {
                return lock.isHeldByCurrentThread();
            } catch (RedisException unknown) {
                return false;
            }
        }

        @Override
        public Set<ReportChannel> reportChannels() {
            return Set.of();
        }

        @Override
        public void extend(Duration lease) {
            // Redisson's lock has no such operation.
        }

        @Override
        public void inspect() {
            // Its validity checks have queried Redis.
        }

        @Override
        public void leave() {
            Call call = diary.called(
                    diary.nextNumber(),
                    What.UNLOCK,
                    By.REDISSON,
                    Diary.Name.plain(grant.lock()),
                    owner,
                    Optional.empty());
            try {
                lock.unlock();
                call.released(0);
            } catch (RedisException e) {
                call.failed();
            } catch (IllegalMonitorStateException e) {
                call.threw(e);
            }
        }
    }
}

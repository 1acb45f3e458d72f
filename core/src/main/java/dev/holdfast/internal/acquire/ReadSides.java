package dev.holdfast.internal.acquire;

import dev.holdfast.LossReason;
import dev.holdfast.internal.hold.Downgrade;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.OwnerLane;
import dev.holdfast.internal.hold.Release;
import dev.holdfast.internal.kind.LockKey;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The readers of a client: for each read-write lock that they use one {@link ReadSide}. */
public final class ReadSides {
    private final ConcurrentMap<LockKey, ReadSide> sides = new ConcurrentHashMap<>();
    private final Acquisitions acquisitions;

    ReadSides(Acquisitions acquisitions) {
        this.acquisitions = acquisitions;
    }

    Acquisitions acquisitions() {
        return acquisitions;
    }

    /**
     * Releases the last level of a write hold, a lease, which goes on as a lease of the read lock. That is of another owner: it is
     * invited to the read hold, and then begins as those readers do that have waited for a grant.
     *
     * @param reader not begun: it is to be begun when this has completed, and is granted the lock then
     * @return fails as the release does, or with {@link dev.holdfast.LeaseLostException} if there is no read hold
     */
    public CompletableFuture<@Nullable Void> downgrade(Hold writing, Acquisition reader) {
        CompletableFuture<@Nullable LossReason> failure = new CompletableFuture<>();
        Consumer<Hold> next = reading -> {
            side(reader.lock(), side -> side.invite(reader, reading));
            failure.complete(null);
        };
        if (!writing.readUnder(new Downgrade(writing, reader::lease, next, failure::complete))) {
            return CompletableFuture.failedFuture(writing.exceptionForEnd());
        }
        return Release.begin(writing)
                .thenCompose(released -> failure)
                .thenCompose(reason -> reason == null
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(writing.exceptionFor(writing.lossNow(reason))));
    }

    /** {@return the group that admits this reader, which is invited to it; null if there is none} */
    @Nullable
    ReadGroup admit(Acquisition reader) {
        ReadSide side = sides.get(reader.lock());
        return side == null ? null : side.admit(reader);
    }

    /** The reader waits no longer, and does not join the group that it was invited to: it has ended, or will not begin. */
    void leave(Acquisition reader) {
        ReadSide side = sides.get(reader.lock());
        if (side != null) {
            side.leave(reader);
        }
    }

    /** The reader waits for a group to be granted. */
    void await(Acquisition reader) {
        side(reader.lock(), side -> side.await(reader));
    }

    /** Logs a warning if the reader waits, and its thread has another one. To be called by that thread. */
    void warnIfNested(Acquisition reader, Thread caller) {
        ReadSide side = sides.get(reader.lock());
        if (side != null) {
            side.warnIfNested(reader, caller);
        }
    }

    /** A reader has a hold that no other is to join, since writers were in line before. */
    void begin(Hold reader, Hold reading) {
        side(reader.lock(), side -> side.begin(reader, reading));
    }

    /** @param action returns false if the side is retired, and is repeated with another one then */
    private void side(LockKey lock, Predicate<ReadSide> action) {
        while (true) {
            ReadSide side = sides.computeIfAbsent(lock, key -> new ReadSide(this, key));
            if (action.test(side)) {
                return;
            }
            remove(side);
        }
    }

    /** {@return the hold of the write lock that the owner of this reader has; null if there is none, or it is being released} */
    @Nullable
    Hold writing(Acquisition reader) {
        LockKey write = reader.lock().otherSide();
        OwnerLane lane = write == null ? null : acquisitions.locks().lane(write, reader.ownerId());
        Hold held = lane == null ? null : lane.reentrable();
        return held == null || held.levels() == 0 ? null : held;
    }

    void remove(ReadSide retired) {
        sides.remove(retired.lock(), retired);
    }

    /** {@return the number of holds in Redis that readers share} */
    public int groups() {
        return sides.values().stream().mapToInt(ReadSide::groups).sum();
    }

    /** {@return the number of readers that wait, beyond those that {@link dev.holdfast.internal.wait.WaitQueues} counts} */
    public long waiters() {
        return sides.values().stream().mapToLong(ReadSide::waiters).sum();
    }

    /** {@return the number of locks that are read, or are waited for to be} */
    public int size() {
        return sides.size();
    }
}

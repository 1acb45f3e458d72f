package dev.holdfast.internal.acquire;

import dev.holdfast.LossReason;
import dev.holdfast.internal.hold.Downgrade;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.SharedHold;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The write hold that a reader has, whose owner has the write lock: it reads without a command until that is downgraded. */
final class UnderWrite implements SharedHold<Hold> {
    private final Hold writing;
    private final Hold reader;

    UnderWrite(Hold writing, Hold reader) {
        this.writing = writing;
        this.reader = reader;
    }

    /**
     * {@return what has the reader go on when the write hold is released}
     *
     * @param next is given the read hold that takes the place of the write hold: the reader is a part of that from then on
     */
    Downgrade downgrade(Consumer<Hold> next) {
        return new Downgrade(writing, this::lease, next, reader::lose);
    }

    private @Nullable LeaseRequest lease() {
        if (reader.levels() == 0 || reader.loss() != null) {
            return null;
        }
        return reader.isWatched()
                ? reader.lane().registry().watchedLease()
                : new LeaseRequest(
                        false, Math.max(1, LeaseRequest.millisOf(reader.lease().remainingNanos())));
    }

    @Override
    public Hold hold() {
        return writing;
    }

    @Override
    public void lost(Hold part, LossReason reason) {
        if (Hold.isDenied(reason)) {
            writing.lose(reason);
        }
    }

    /** A hold whose lease has run out has been lost for the reader, too. */
    @Override
    public CompletableFuture<@Nullable Void> leave(Hold part, boolean inDoubt) {
        if (writing.isOver()) {
            return CompletableFuture.failedFuture(writing.exceptionFor(writing.lossOfOver()));
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public String toString() {
        return "reader of " + writing;
    }
}

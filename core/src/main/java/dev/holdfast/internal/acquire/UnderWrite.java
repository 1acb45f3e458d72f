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
        boolean reads = reader.levels() > 0 && reader.loss() == null;
        return reads ? reader.lane().registry().restOf(reader) : null;
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

    /** The lease of the reader does not end after that of the write hold: if that has ended, the reader is lost already. */
    @Override
    public CompletableFuture<@Nullable Void> leave(Hold part, boolean inDoubt) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public String toString() {
        return "reader of " + writing;
    }
}

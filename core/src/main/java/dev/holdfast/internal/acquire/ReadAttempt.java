package dev.holdfast.internal.acquire;

import dev.holdfast.LeaseLoss;
import dev.holdfast.LeaseLostException;
import dev.holdfast.internal.hold.Extension;
import dev.holdfast.internal.hold.GrantingCommand;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.OwnerLane;
import dev.holdfast.internal.hold.Release;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a reader: it enters the hold that it has, or joins the group of readers that its client has. It sends nothing
 * itself. If there is no group that admits it, the {@link ReadSide} requests one, and the reader attempts again when that is
 * granted.
 *
 * <p>A lease that would outlive the one which Redis has confirmed is extended before: then this attempt leaves the lane to that
 * command, and another one follows. Such a command serves each reader that began before it was sent and wants no longer a
 * lease: their own commands, whose turns come later, send nothing.
 */
final class ReadAttempt extends GrantingCommand {
    private final Acquisition reader;
    private final ReadSides all;

    /** The hold whose lease Redis has just confirmed for as long as the reader wants it; null if there is none. */
    private final @Nullable Hold extended;

    ReadAttempt(OwnerLane lane, Acquisition reader, ReadSides all) {
        this(lane, reader, all, null);
    }

    private ReadAttempt(OwnerLane lane, Acquisition reader, ReadSides all, @Nullable Hold extended) {
        super(lane);
        this.reader = reader;
        this.all = all;
        this.extended = extended;
    }

    @Override
    protected void run() {
        Hold held = lane().reentrable();
        Hold entering = reader.entering;
        if (!reader.isPending()) {
            done();
        } else if (entering != null && entering != held && entering.isOver()) {
            done();
            reader.failAlone(entering.exceptionFor(entering.lossOfOver()));
        } else if (session().admission().refuses(held != null)) {
            done();
            reader.close();
        } else if (held != null) {
            reader.entering = held;
            if (isCovered(held)) {
                enter(held);
            } else {
                extendFirst(held, held);
            }
        } else {
            Hold writing = all.writing(reader);
            ReadGroup group = writing == null ? all.admit(reader) : null;
            if (writing != null && isCovered(writing)) {
                joinUnder(writing);
            } else if (writing != null) {
                extendFirst(writing, writing);
            } else if (group == null) {
                done();
                all.await(reader);
            } else if (isCovered(group.hold())) {
                join(group);
            } else {
                extendFirst(group.hold(), null);
            }
        }
    }

    private boolean isCovered(Hold hold) {
        return hold == extended ? hold.isValid() : ReadGroup.covers(hold, reader);
    }

    /**
     * A hold that is released in between is nothing that the reader could have: it attempts again.
     *
     * @param entered the same hold, if its loss is that of the reader; null if the reader is to join another group then
     */
    @SuppressWarnings("FutureReturnValueIgnored") // every outcome is processed
    private void extendFirst(Hold hold, @Nullable Hold entered) {
        done();
        LongSupplier lease =
                () -> ReadGroup.covers(hold, reader) ? 0 : reader.lease().millis();
        Extension.begin(hold, lease).whenComplete((confirmed, failure) -> {
            Throwable why = failure instanceof CompletionException ? failure.getCause() : failure;
            if (why == null) {
                lane().submit(new ReadAttempt(lane(), reader, all, hold));
            } else if (why instanceof IllegalMonitorStateException
                    && (entered == null || !(why instanceof LeaseLostException))) {
                reader.attempt();
            } else {
                reader.failAlone(
                        why instanceof RuntimeException known
                                ? known
                                : new IllegalStateException("extension failed", why));
            }
        });
    }

    private void enter(Hold held) {
        held.enter(reader);
        boolean wanted = reader.grant(held);
        if (!wanted) {
            Release.beginUnwanted(held, reader.level());
        }
        done();
        if (wanted) {
            reader.notifyGranted();
        }
    }

    private void joinUnder(Hold writing) {
        long now = session().now();
        Hold hold = new Hold(lane(), writing.tenure(), now, reader, false);
        UnderWrite part = new UnderWrite(writing, hold);
        hold.share(part);
        hold.continues(writing);
        // Before the write hold knows of it, which may lose it from then on.
        ReadGroup.keep(hold, writing, reader);
        if (writing.readUnder(part.downgrade(reading -> all.begin(hold, reading)))) {
            LeaseLoss loss = writing.loss();
            if (loss != null) {
                hold.lose(loss.reason());
            }
            deliverInTime(hold, writing, true);
        } else {
            hold.leaveNewest();
            hold.lease().end();
            done();
            reader.attempt();
        }
    }

    /**
     * @param whole what the hold is a part of
     * @param isReplaceable whether another one does as well if that is over, unless the time of an explicit lease is over with it
     */
    private void deliverInTime(Hold hold, Hold whole, boolean isReplaceable) {
        if (deliver(hold, reader)) {
            return;
        }
        if (isReplaceable && reader.lease().watched() && !whole.lease().isRunning()) {
            reader.attempt();
        } else {
            reader.failTooLate();
        }
    }

    private void join(ReadGroup group) {
        Hold hold = group.join(lane(), reader);
        if (hold == null) {
            done();
            reader.attempt();
        } else {
            deliverInTime(hold, group.hold(), !group.isOfDowngrade());
        }
    }

    @Override
    public String toString() {
        return "attempt to read of " + lane();
    }
}

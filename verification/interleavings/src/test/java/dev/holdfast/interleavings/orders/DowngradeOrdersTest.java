package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.exploreClosely;
import static dev.holdfast.interleavings.Orders.together;

import dev.holdfast.interleavings.orders.ModelClient.Owner;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An owner that writes and reads, in any order of its calls with the downgrade and with losses: while it reads, Redis has a hold
 * for that, or the loss is known; and nothing is left.
 */
class DowngradeOrdersTest {
    private static final Duration LONG = Duration.ofHours(1);

    /** Between the last confirmation of the write hold and its release. */
    private static final Duration BEFORE = ModelClient.RENEWAL.dividedBy(2);

    // --- It begins to read.

    /** An owner begins to read while it releases the write lock. */
    @Test
    void join_againstReleaseOfTheWriter() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner writer = rig.writing();
            Owner reader = writer.again(rig.redis.readKey());
            together(reader::acquire, writer::release, rig.client::serve);
            rig.requireHolds(reader);
            writer.requireReleased();
            rig.requireFinished(reader);
        });
    }

    /** An owner begins to read while its write hold is found lost: it has another hold, or is lost as well. */
    @Test
    void join_againstLossOfTheWriter() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner writer = rig.writing();
            Owner reader = writer.again(rig.redis.readKey());
            rig.client.almostRenewed();
            rig.redis.delete();
            rig.client.clock.advance(ModelClient.PAUSE);
            together(reader::acquire, rig.client::serve);
            rig.client.quiet();
            require(!writer.isHeld(), "the loss is known");
            require(reader.isCompleted(), "the reader has an outcome");
            rig.requireFinished(writer, reader);
        });
    }

    /** Only the reader is renewed, and its hold is gone: so is that of the writer, whose lease is explicit. */
    @Test
    void loss_foundByTheReader() {
        ReadWriteRig rig = new ReadWriteRig();
        Owner writer = rig.writer();
        writer.acquire(LONG);
        rig.client.quiet();
        Owner reader = rig.readingUnder(writer);
        rig.redis.delete();
        rig.client.pass(ModelClient.RENEWAL.plus(ModelClient.PAUSE));
        require(!reader.isHeld() && !writer.isHeld(), "the loss is known");
        rig.requireFinished(reader, writer);
    }

    /** An owner begins to read, with a longer lease, and then releases the write lock: its commands run in their order. */
    @Test
    void joinWithALongerLease_beforeTheRelease() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner writer = rig.writing();
            Owner reader = writer.again(rig.redis.readKey());
            together(
                    () -> {
                        reader.acquire(LONG);
                        writer.release();
                    },
                    rig.client::serve);
            rig.requireHolds(reader);
            writer.requireReleased();
            rig.requireFinished(reader);
        });
    }

    // --- The downgrade.

    /** An owner releases both at the same time. */
    @Test
    void downgrade_againstReleaseOfTheReader() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner writer = rig.writing();
            Owner reader = rig.readingUnder(writer);
            together(writer::release, reader::release, rig.client::serve);
            rig.client.quiet();
            writer.requireReleased();
            reader.requireReleased();
            rig.client.requireNothingLeft();
        });
    }

    /** The hold is renewed while it is downgraded: that Redis has the write hold no more says nothing about the reader. */
    @Test
    void downgrade_againstRenewal() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner writer = rig.writing();
            Owner reader = rig.readingUnder(writer);
            rig.client.almostRenewed();
            together(writer::release, () -> rig.client.clock.advance(ModelClient.PAUSE), rig.client::serve);
            rig.requireHolds(reader);
            writer.requireReleased();
            rig.requireFinished(reader);
        });
    }

    /** The key is deleted while the hold is downgraded: the reader has a hold, or its loss is known when that is renewed. */
    @Test
    void downgrade_againstLoss() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner writer = rig.writing();
            Owner reader = rig.readingUnder(writer);
            together(writer::release, rig.redis::delete, rig.client::serve);
            rig.client.quiet();
            require(writer.isReleased(), "the release has ended");
            rig.client.pass(ModelClient.RENEWAL);
            require(!reader.isHeld(), "the loss is known");
            rig.requireFinished(reader);
        });
    }

    /** The read hold is found lost while its reader becomes a part of it. */
    @Test
    void downgrade_againstLossOfTheReadHold() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner writer = rig.writing();
            Owner reader = rig.readingUnder(writer);
            rig.client.almostRenewed();
            together(
                    () -> {
                        writer.release();
                        rig.redis.delete();
                        rig.client.clock.advance(ModelClient.PAUSE);
                    },
                    rig.client::serve);
            rig.client.quiet();
            require(writer.isReleased(), "the release has ended");
            rig.client.pass(ModelClient.RENEWAL);
            require(!reader.isHeld(), "the loss is known");
            rig.requireFinished(reader);
        });
    }

    /** The lease ends when Redis replies, unless it is renewed in time. */
    @Test
    void downgrade_againstTheEndOfTheLease() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner writer = rig.writing();
            Owner reader = rig.readingUnder(writer);
            writer.release();
            together(rig.client::serve, () -> rig.client.clock.advance(ModelClient.WATCHDOG));
            rig.requireFinished(reader);
        });
    }

    /** The lease of the reader ends, which was confirmed before: the read hold, whose own lasts longer, is released. */
    @Tag("slow")
    @Test
    void downgrade_againstTheEndOfTheReadersLease() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner writer = rig.writing();
            Owner reader = rig.readingUnder(writer);
            rig.client.clock.advance(BEFORE);
            writer.release();
            together(rig.client::serve, () -> rig.client.clock.advance(ModelClient.WATCHDOG.minus(BEFORE)));
            rig.client.quiet();
            rig.client.pass(ModelClient.PAUSE);
            require(reader.isHeld() || rig.redis.isFree(), "the lock is free once no reader is left");
            rig.requireFinished(reader);
        });
    }

    /** A reply over another connection says that the read hold is gone, before its reader is a part of it. */
    @Tag("slow")
    @Test
    void downgrade_againstLossByAnotherConnection() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner writer = rig.writing();
            Owner reader = rig.readingUnder(writer);
            rig.client.clock.advance(BEFORE);
            writer.release();
            rig.client.server.turn();
            together(rig.client::serve, () -> {
                rig.redis.delete();
                rig.client.clock.advance(ModelClient.RENEWAL.plus(ModelClient.PAUSE));
                while (rig.client.server.hasWork()) {
                    rig.client.server.turn();
                }
            });
            rig.client.quiet();
            rig.client.pass(ModelClient.RENEWAL);
            require(!reader.isHeld(), "the loss is known");
            rig.requireFinished(reader);
        });
    }

    /** The connection is lost with the reply: the command is sent again, and finds the read hold. */
    @Test
    void downgrade_againstCut() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner writer = rig.writing();
            Owner reader = rig.readingUnder(writer);
            together(writer::release, rig.client.server::cut, rig.client::serve);
            rig.requireHolds(reader);
            writer.requireReleased();
            rig.requireFinished(reader);
        });
    }

    /** The same, and the owner releases the read lock before the command was answered. */
    @Tag("slow")
    @Test
    void downgrade_againstCutAndReleaseOfTheReader() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner writer = rig.writing();
            Owner reader = rig.readingUnder(writer);
            writer.release();
            together(reader::release, rig.client.server::cut, rig.client::serve);
            rig.client.quiet();
            writer.requireReleased();
            reader.requireReleased();
            rig.client.requireNothingLeft();
        });
    }

    /** The client begins to close while it is downgraded. */
    @Test
    void downgrade_againstClose() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner writer = rig.writing();
            Owner reader = rig.readingUnder(writer);
            together(writer::release, rig.client::stopGranting, rig.client::serve);
            rig.requireHolds(reader);
            writer.requireReleased();
            rig.requireFinished(reader);
        });
    }

    // --- Others of the client.

    /** A reader of this client waits behind the writer, and gives up while the downgrade grants it the lock. */
    @Test
    void downgrade_againstLeaveOfAWaitingReader() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner writer = rig.writing();
            Owner reader = rig.readingUnder(writer);
            Owner other = rig.reader();
            other.acquire();
            rig.client.quiet();
            require(!other.holds(), "the reader waits for the writer");
            writer.release();
            together(other::leave, rig.client::serveAndReceive);
            rig.requireHolds(reader);
            rig.requireFinished(reader, other);
        });
    }

    /** A reader of this client waits behind the writer, and reads with it after the downgrade. */
    @Tag("slow")
    @Test
    void downgrade_servesAWaitingReader() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner writer = rig.writing();
            Owner reader = rig.readingUnder(writer);
            Owner other = rig.reader();
            together(writer::release, other::acquire, rig.client::serveAndReceive);
            rig.requireHolds(reader, other);
            rig.requireFinished(reader, other);
        });
    }

    /** A writer of this client waits while another one is downgraded: it has the lock after the reader. */
    @Tag("slow")
    @Test
    void downgrade_beforeAWaitingWriter() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner writer = rig.writing();
            Owner reader = rig.readingUnder(writer);
            Owner next = rig.writer();
            together(writer::release, next::acquire, rig.client::serveAndReceive);
            rig.requireHolds(reader);
            require(!next.holds(), "the writer waits for the reader");
            writer.requireReleased();
            reader.release();
            rig.requireHolds(next);
            reader.requireReleased();
            rig.requireFinished(next);
        });
    }
}

package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.awaitWork;
import static dev.holdfast.interleavings.Orders.explore;
import static dev.holdfast.interleavings.Orders.exploreClosely;
import static dev.holdfast.interleavings.Orders.together;

import dev.holdfast.interleavings.orders.ModelClient.Owner;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The readers of one client are granted a hold, in any order of their calls with the reply, with writers and with the close of the
 * client: each that has the lock has it in Redis as well, none is forgotten, none passes a writer that the client knows of, and
 * nothing is left.
 */
class ReadGrantOrdersTest {
    private static final Duration MOMENT = Duration.ofMillis(1);

    // --- Its grant.

    /** A waiting reader gives up while its request is granted. */
    @Test
    void grant_againstLeave() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner leaver = rig.waiting();
            rig.redis.releaseOfOther();
            together(leaver::leave, rig.client::serveAndReceive);
            rig.requireFinished(leaver);
        });
    }

    /** One of two waiting readers gives up while both are granted the lock. */
    @Test
    void grant_againstLeaveOfOne() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner leaver = rig.waiting();
            Owner stayer = rig.reader();
            stayer.acquire();
            rig.client.quiet();
            rig.redis.releaseOfOther();
            together(leaver::leave, rig.client::serveAndReceive);
            rig.requireHolds(stayer);
            rig.requireFinished(leaver, stayer);
        });
    }

    /** A waiting reader gives up while the request for it is in flight. */
    @Test
    void request_againstLeave() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner leaver = rig.reader();
            leaver.acquire();
            together(leaver::leave, rig.client::serve);
            rig.requireFinished(leaver);
        });
    }

    /** The lease has run out when the reply is read, or while the hold begins: the reader has another one, or is lost. */
    @Tag("slow")
    @Test
    void grant_againstTheEndOfTheLease() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner reader = rig.reader();
            reader.acquire();
            together(rig.client::serve, () -> rig.client.clock.advance(ModelClient.WATCHDOG));
            rig.client.quiet();
            require(reader.isCompleted(), "the reader has an outcome");
            rig.requireFinished(reader);
        });
    }

    /** A reader arrives while those that wait are granted the lock. */
    @Test
    void grant_againstArrival() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner first = rig.waiting();
            Owner next = rig.reader();
            rig.redis.releaseOfOther();
            together(next::acquire, rig.client::serveAndReceive);
            rig.requireHolds(first, next);
            rig.requireFinished(first, next);
        });
    }

    /**
     * One of those that were granted the lock releases it at once, before another one has joined: that one has the lock as well,
     * and not after the writer that waits.
     */
    @Test
    void grant_againstReleaseOfTheFirst() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner first = rig.waiting();
            Owner next = rig.reader();
            next.acquire();
            rig.client.quiet();
            rig.redis.writerOfOtherWaits();
            rig.redis.releaseOfOther();
            together(() -> releaseOnceHeld(first), rig.client::serveAndReceive);
            rig.requireHolds(next);
            next.release();
            rig.client.quiet();
            require(rig.redis.isWrittenByOther(), "the writer is served once the readers have ended");
            rig.redis.releaseOfOther();
            first.requireReleased();
            rig.client.requireNothingLeft();
        });
    }

    /**
     * A group is granted that admits no later reader. Of two calls of one owner the first may join it, and the second comes when it
     * has taken those that wait: it enters the hold of the first.
     */
    @Test
    void grantBeforeAWriter_againstCallsOfOneOwner() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner first = rig.waiting();
            Owner one = rig.reader();
            Owner other = one.again();
            first.onGrant(other::acquire);
            rig.redis.writerOfOtherWaits();
            rig.redis.releaseOfOther();
            together(one::acquire, rig.client::serveAndReceive);
            rig.requireHolds(first);
            require(one.holds() == other.holds(), "both calls of an owner have the lock, or none");
            if (one.holds()) {
                releaseToWriter(rig, first, one, other);
                rig.client.requireNothingLeft();
            } else {
                releaseToWriter(rig, first);
                rig.requireHolds(one, other);
                rig.requireFinished(one, other);
            }
        });
    }

    private static void releaseToWriter(ReadWriteRig rig, Owner... readers) {
        for (Owner reader : readers) {
            reader.release();
            rig.client.quiet();
            reader.requireReleased();
        }
        require(rig.redis.isWrittenByOther(), "the writer is served once the readers have ended");
        rig.redis.releaseOfOther();
    }

    private static void releaseOnceHeld(Owner owner) {
        if (awaitWork(owner::holds)) {
            owner.release();
        }
    }

    /** A reader that waits, and one that does not, each have a request: whichever is granted serves both. */
    @Tag("slow")
    @Test
    void twoRequests_againstTheReleaseOfAnother() {
        explore(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner waiter = rig.waiting();
            Owner tries = rig.reader();
            together(
                    rig.redis::releaseOfOther,
                    () -> tries.tryAcquire(Duration.ZERO),
                    rig.client::serve,
                    rig.client::receive);
            rig.requireHolds(waiter);
            require(tries.isCompleted(), "a reader that does not wait has an outcome");
            rig.requireFinished(waiter, tries);
        });
    }

    /** A reader that does not wait, and begins when the lock is free, is not refused by an attempt that was sent before. */
    @Test
    void attempt_againstOneThatWasSentBefore() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            rig.redis.writeForOther();
            Owner before = rig.reader();
            Owner after = rig.reader();
            before.tryAcquire(Duration.ZERO);
            together(
                    () -> {
                        rig.redis.releaseOfOther();
                        rig.client.clock.advance(MOMENT);
                        after.tryAcquire(Duration.ZERO);
                    },
                    rig.client::serve);
            rig.requireHolds(after);
            rig.requireFinished(before, after);
        });
    }

    // --- A writer waits.

    /** The lock was granted while a writer of another client waits: a reader that comes later is behind that one. */
    @Test
    void grantBeforeAWriter_againstArrival() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner first = rig.waiting();
            Owner next = rig.reader();
            rig.redis.writerOfOtherWaits();
            rig.redis.releaseOfOther();
            together(next::acquire, rig.client::serveAndReceive);
            requirePhases(rig, first, next);
        });
    }

    /** A writer of another client goes in line while a reader joins: one that comes after the message is behind it. */
    @Tag("slow")
    @Test
    void closing_againstJoin() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner first = rig.readingAndListening();
            Owner next = rig.reader();
            rig.redis.writerOfOtherWaits();
            together(next::acquire, rig.client::serveAndReceive);
            requirePhases(rig, first, next);
        });
    }

    /** The message that a writer waits arrives before the reply to the attempt that was granted before it. */
    @Test
    void closing_againstTheReplyBeforeIt() {
        explore(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner before = rig.readingAndListening();
            before.release();
            rig.client.quiet();
            Owner first = rig.reader();
            Owner next = rig.reader();
            first.acquire();
            rig.client.server.turn();
            rig.redis.writerOfOtherWaits();
            together(next::acquire, rig.client::serve, rig.client::receive);
            requirePhases(rig, first, next);
        });
    }

    /** The client does not listen to the line, and asks when a reader joins: one that comes after the reply is behind. */
    @Test
    void ask_againstJoin() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner first = rig.reading();
            Owner next = rig.reader();
            Owner another = rig.reader();
            rig.redis.writerOfOtherWaits();
            next.acquire();
            together(another::acquire, rig.client::serve);
            rig.requireHolds(next);
            next.release();
            requirePhases(rig, first, another);
        });
    }

    /**
     * A reader that comes now is behind the writer, which has the lock when the readers before it have ended; and afterwards the
     * readers have.
     */
    private static void requirePhases(ReadWriteRig rig, Owner first, Owner next) {
        rig.client.quiet();
        Owner later = rig.reader();
        later.acquire();
        rig.requireHolds(first);
        require(!later.holds(), "a reader does not pass the writer");
        boolean joined = next.holds();
        first.release();
        next.releaseIfHeld();
        rig.client.quiet();
        require(rig.redis.isWrittenByOther(), "the writer is served once those before it have ended");
        rig.redis.releaseOfOther();
        rig.requireHolds(later);
        if (!joined) {
            rig.requireHolds(next);
            next.release();
        }
        rig.requireFinished(later);
    }

    // --- The client closes.

    /** The client begins to close while a reader joins: it has joined, or fails. */
    @Test
    void close_againstJoin() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner first = rig.reading();
            Owner next = rig.reader();
            together(rig.client::stopGranting, () -> acquireUnlessClosed(next), rig.client::serve);
            rig.requireHolds(first);
            rig.requireFinished(first, next);
        });
    }

    private static void acquireUnlessClosed(Owner owner) {
        try {
            owner.acquire();
        } catch (IllegalStateException closed) {
            require(String.valueOf(closed.getMessage()).contains("closed"), "the client is closed, was " + closed);
        }
    }

    /** The client begins to close while readers that wait are granted the lock: each has it, or fails. */
    @Test
    void close_againstGrant() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner waiter = rig.waiting();
            rig.redis.releaseOfOther();
            together(rig.client::stopGranting, rig.client::serveAndReceive);
            rig.client.quiet();
            require(waiter.isCompleted(), "the reader has an outcome");
            rig.requireFinished(waiter);
        });
    }

    /** The client begins to close while the request for a reader is in flight. */
    @Test
    void close_againstRequest() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner reader = rig.reader();
            reader.acquire();
            together(rig.client::stopGranting, rig.client::serve);
            rig.client.quiet();
            require(reader.isCompleted(), "the reader has an outcome");
            rig.requireFinished(reader);
        });
    }
}

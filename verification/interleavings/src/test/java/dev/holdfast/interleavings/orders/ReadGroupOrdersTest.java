package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.explore;
import static dev.holdfast.interleavings.Orders.exploreClosely;
import static dev.holdfast.interleavings.Orders.together;

import dev.holdfast.interleavings.orders.ModelClient.Owner;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * The readers of one client share a hold, in any order of their calls with its extension, its end and its loss: each that has the
 * lock has it in Redis as well, or its loss is known; none is forgotten, and nothing is left.
 */
class ReadGroupOrdersTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final Duration WAIT = Duration.ofSeconds(1);

    // --- Its end.

    /** The last reader leaves while another one joins: that one has the hold, or another one. */
    @Test
    void release_againstJoin() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner last = rig.reading();
            Owner next = rig.reader();
            together(last::release, next::acquire, rig.client::serve);
            rig.requireHolds(next);
            last.requireReleased();
            rig.requireFinished(next);
        });
    }

    /** Two readers leave at the same time: one of them is the last. */
    @Test
    void release_againstRelease() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner one = rig.reading();
            Owner other = rig.reading();
            together(one::release, other::release, rig.client::serve);
            rig.client.quiet();
            one.requireReleased();
            other.requireReleased();
            rig.client.requireNothingLeft();
        });
    }

    /** The last reader leaves while its hold is renewed. */
    @Test
    void release_againstRenewal() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner last = rig.reading();
            rig.client.almostRenewed();
            together(last::release, () -> rig.client.clock.advance(ModelClient.PAUSE), rig.client::serve);
            rig.client.quiet();
            last.requireReleased();
            rig.client.requireNothingLeft();
        });
    }

    // --- Its loss.

    /** The hold is found lost while a reader joins it: that one has another hold, or is lost as well. */
    @Test
    void loss_againstJoin() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner first = rig.reading();
            Owner next = rig.reader();
            rig.client.almostRenewed();
            rig.redis.delete();
            rig.client.clock.advance(ModelClient.PAUSE);
            together(next::acquire, rig.client::serve);
            rig.client.quiet();
            require(!first.isHeld(), "the loss is known");
            require(next.isCompleted(), "the reader that joins has an outcome");
            rig.requireFinished(first, next);
        });
    }

    /** One reader leaves while the hold of both is found lost. */
    @Test
    void loss_againstRelease() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner leaver = rig.reading();
            Owner stayer = rig.reading();
            rig.client.almostRenewed();
            rig.redis.delete();
            rig.client.clock.advance(ModelClient.PAUSE);
            together(leaver::release, rig.client::serve);
            rig.client.quiet();
            require(leaver.isReleased(), "the release has ended");
            require(!stayer.isHeld(), "the loss is known");
            rig.requireFinished(stayer);
        });
    }

    /** The hold is granted, and found lost before the readers that wait have joined it. */
    @Test
    void loss_againstGrant() {
        explore(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner first = rig.waiting();
            rig.redis.releaseOfOther();
            together(rig.redis::delete, rig.client::serveAndReceive);
            rig.client.pass(ModelClient.RENEWAL);
            require(first.isCompleted(), "the reader has an outcome");
            rig.requireFinished(first);
        });
    }

    /** The lease has run out here while a renewal was in flight: what Redis has for all the longer is released. */
    @Test
    void expiry_againstTheReplyToARenewal() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner first = rig.reading();
            Owner next = rig.reader();
            rig.client.almostRenewed();
            rig.client.clock.advance(ModelClient.PAUSE);
            rig.client.server.turn();
            rig.client.clock.standStill(ModelClient.WATCHDOG);
            require(!first.isHeld(), "the lease has run out");
            together(next::acquire, rig.client::serve);
            rig.requireHolds(next);
            rig.requireFinished(first, next);
        });
    }

    /** The same while the lease was being extended for another reader. */
    @Test
    void expiry_againstTheReplyToAnExtension() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner first = rig.reader();
            Owner longer = rig.reader();
            Owner next = rig.reader();
            first.acquire(SHORT);
            rig.client.quiet();
            longer.acquire(LONG);
            rig.client.server.turn();
            rig.client.clock.standStill(SHORT.plus(ModelClient.PAUSE));
            together(next::acquire, rig.client::serve);
            rig.requireHolds(next);
            rig.requireFinished(first, longer, next);
        });
    }

    /** The explicit lease of one reader ends when the other one leaves. */
    @Test
    void expiryOfOneReader_againstRelease() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner watched = rig.reading();
            Owner explicit = rig.reader();
            explicit.acquire(SHORT);
            rig.client.quiet();
            together(
                    watched::release, () -> rig.client.clock.advance(SHORT.plus(ModelClient.PAUSE)), rig.client::serve);
            rig.client.quiet();
            watched.requireReleased();
            require(!explicit.isHeld() && rig.redis.isFree(), "the lock is free once no reader is left");
            rig.requireFinished(explicit);
        });
    }

    // --- A longer lease.

    /** A reader needs a longer lease than the hold has, and gives up while that is extended. */
    @Test
    void extension_againstLeave() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner first = rig.reading();
            Owner longer = rig.reader();
            longer.acquire(LONG);
            together(longer::leave, rig.client::serve);
            rig.requireHolds(first);
            rig.requireFinished(first, longer);
        });
    }

    /** The wait of a reader that needs a longer lease is over while it is about to request that. */
    @Test
    void extension_againstDeadline() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner first = rig.reading();
            Owner longer = rig.reader();
            together(
                    () -> longer.tryAcquire(WAIT, LONG),
                    () -> rig.client.clock.advance(WAIT.plus(ModelClient.PAUSE)),
                    rig.client::serve);
            rig.client.quiet();
            rig.client.clock.advance(WAIT.plus(ModelClient.PAUSE));
            rig.requireHolds(first);
            require(longer.isCompleted(), "the wait is over");
            rig.requireFinished(first, longer);
        });
    }

    /** The last other reader leaves while the hold is extended for one that needs a longer lease. */
    @Test
    void extension_againstRelease() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner last = rig.reading();
            Owner longer = rig.reader();
            longer.acquire(LONG);
            together(last::release, rig.client::serve);
            rig.requireHolds(longer);
            last.requireReleased();
            rig.requireFinished(longer);
        });
    }

    /** The hold is gone when it is to be extended, and the reader that needs that gives up. */
    @Test
    void extension_ofALostHold_againstLeave() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner first = rig.reading();
            Owner longer = rig.reader();
            rig.redis.delete();
            longer.acquire(LONG);
            together(longer::leave, rig.client::serve);
            rig.requireFinished(first, longer);
        });
    }

    /** An owner enters again, with a longer lease, and then leaves a level: the commands of an owner run in their order. */
    @Test
    void reentryWithALongerLease_beforeARelease() {
        ReadWriteRig rig = new ReadWriteRig();
        Owner first = rig.reading();
        Owner again = first.again();
        again.acquire(LONG);
        first.release();
        rig.requireHolds(again);
        first.requireReleased();
        rig.requireFinished(again);
    }
}

package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.explore;
import static dev.holdfast.interleavings.Orders.together;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Each owner that waits for a fair lock has a place of its own in line, in any order of calls, replies and messages: one at a
 * time has the lock, in the order of the places, no waiter is forgotten, and afterwards nothing is left.
 */
class FairLineOrdersTest {
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration PAUSE = ModelClient.PAUSE;

    /** Longer than any lock is known to remember a waiter that does not ask again. */
    private static final Duration LONG = Duration.ofMinutes(6);

    /** Less than a clock may be ahead of another one. */
    private static final Duration A_SCRIPT = Duration.ofMillis(1);

    /** Both owners are in line, and neither has to wait for the other to ask. */
    @Test
    void places_ofAllOwners() {
        QueueRig rig = QueueRig.elsewhere(ModelClient.fairByItself());
        require(rig.client.redis.places() == 2, "each owner has a place");
        rig.client.redis.releaseOfOther();
        rig.client.quiet();
        require(rig.leaver.holds() && !rig.stayer.holds(), "the first owner has the lock");
        rig.requireServed();
    }

    /** An owner asks while another owner of its client has the lock, which is released to the line and not handed off. */
    @Tag("slow")
    @Test
    void heldHere_againstRelease() {
        explore(() -> {
            ModelClient client = ModelClient.fair();
            QueueRig rig = new QueueRig(client);
            rig.holder.acquire();
            client.quiet();
            rig.leaver.acquire();
            client.quiet();
            together(rig.holder::release, rig.stayer::acquire, client::serve, client::receive);
            client.quiet();
            rig.leaver.releaseIfHeld();
            client.quiet();
            require(rig.stayer.holds(), "the last owner has the lock");
            rig.stayer.release();
            client.requireOneAtATime();
            client.requireNothingLeft();
        });
    }

    /** However long owners wait, they keep their places, and are granted the lock in their order. */
    @Test
    void places_areKept() {
        QueueRig rig = QueueRig.elsewhere(ModelClient.fairByItself());
        rig.client.pass(LONG);
        require(rig.client.redis.places() == 2, "each owner has its place");
        rig.client.redis.releaseOfOther();
        rig.client.quiet();
        require(rig.leaver.holds() && !rig.stayer.holds(), "the first owner has the lock");
        rig.requireServed();
    }

    /** The wall clock of a client is set, or its machine has slept: that changes no order. */
    @Test
    void clock_isSet() {
        QueueRig rig = QueueRig.elsewhere(ModelClient.fairByItself());
        rig.client.clock.standStill(LONG);
        rig.client.redis.releaseOfOther();
        rig.client.quiet();
        require(rig.leaver.holds() && !rig.stayer.holds(), "the first owner has the lock");
        rig.requireServed();
    }

    /** Another client releases the lock while owners ask for their places. */
    @Tag("slow")
    @Test
    void asking_againstRelease() {
        explore(() -> {
            ModelClient client = ModelClient.fair();
            QueueRig rig = new QueueRig(client);
            client.redis.takeForOther();
            rig.leaver.acquire();
            client.quiet();
            together(rig.stayer::acquire, client.redis::releaseOfOther, client::serve, client::receive);
            rig.requireServed();
        });
    }

    /** A grant arrives while its owner asks again: it starts without waiting for the end of the claim. */
    @Tag("slow")
    @Test
    void grant_againstAnAttemptOfItsOwner() {
        explore(() -> {
            QueueRig rig = QueueRig.elsewhere(ModelClient.fairByItself());
            rig.client.clock.advance(COMMAND_TIMEOUT.minus(PAUSE.dividedBy(2)));
            together(
                    () -> rig.client.clock.advance(PAUSE),
                    rig.client.redis::releaseOfOther,
                    rig.client::serve,
                    rig.client::receive);
            rig.requireServed();
        });
    }

    /** The first owner leaves while it is granted the lock. */
    @Tag("slow")
    @Test
    void grant_againstLeave() {
        explore(() -> {
            QueueRig rig = QueueRig.elsewhere(ModelClient.fair());
            together(rig.client.redis::releaseOfOther, rig.leaver::leave, rig.client::serve, rig.client::receive);
            rig.requireServed();
        });
    }

    /** The second owner leaves while the first one is granted the lock, and releases it. */
    @Tag("slow")
    @Test
    void releaseOfTheGranted_againstLeave() {
        explore(() -> {
            QueueRig rig = QueueRig.elsewhere(ModelClient.fair());
            rig.client.redis.releaseOfOther();
            rig.client.quiet();
            require(rig.leaver.holds(), "the first in line has the lock");
            together(rig.leaver::release, rig.stayer::leave, rig.client::serve, rig.client::receive);
            rig.client.quiet();
            rig.stayer.releaseIfHeld();
            rig.client.requireOneAtATime();
            rig.client.requireNothingLeft();
        });
    }

    /** Another call of the owner in line tries, and may find the grant before its message arrives. */
    @Tag("slow")
    @Test
    void grant_againstATryOfTheSameOwner() {
        explore(() -> {
            QueueRig rig = QueueRig.elsewhere(ModelClient.fair());
            ModelClient.Owner again = rig.leaver.again();
            together(
                    rig.client.redis::releaseOfOther,
                    () -> again.tryAcquire(Duration.ZERO),
                    rig.client::serve,
                    rig.client::receive);
            rig.client.quiet();
            again.releaseIfHeld();
            rig.leaver.releaseIfHeld();
            require(rig.stayer.holds(), "the next owner has the lock");
            rig.stayer.release();
            rig.client.requireNothingLeft();
        });
    }

    /** The message of the grant is lost: the owner adopts it when it attempts next. */
    @Test
    void message_isLost() {
        explore(() -> {
            QueueRig rig = QueueRig.elsewhere(ModelClient.fairByItself());
            together(
                    () -> {
                        rig.client.redis.releaseOfOther();
                        rig.client.wire.loseMessages();
                    },
                    rig.leaver::leave,
                    rig.client::serve);
            rig.client.quiet();
            rig.client.pass(COMMAND_TIMEOUT);
            rig.requireServed();
        });
    }

    /** If little of the granted lease is left when the message arrives, an attempt of that owner adopts the grant. */
    @Test
    void message_isLaterThanHalfTheLease() {
        QueueRig rig = QueueRig.elsewhere(ModelClient.fairByItself());
        rig.client.redis.releaseOfOther();
        rig.client.clock.advance(COMMAND_TIMEOUT.dividedBy(2).plus(PAUSE));
        rig.client.receive();
        require(!rig.leaver.holds(), "the first in line attempts before it starts");
        rig.client.quiet();
        require(rig.leaver.holds(), "the first in line has the lock");
        require(rig.client.redis.places() == 1, "the next one keeps its place");
        rig.requireServed();
    }

    /** A grant that is read after its claim has ended, and after another client has got the lock, is no grant. */
    @Test
    void message_isLaterThanTheLease() {
        QueueRig rig = QueueRig.elsewhere(ModelClient.fairByItself());
        rig.client.redis.releaseOfOther();
        rig.client.redis.delete();
        rig.client.redis.takeForOther();
        rig.client.clock.advance(COMMAND_TIMEOUT.plus(PAUSE));
        rig.client.receive();
        rig.client.quiet();
        require(!rig.leaver.holds(), "the other client has the lock alone");
        rig.client.pass(COMMAND_TIMEOUT);
        require(rig.client.redis.places() == 2, "each owner has a place again");
        rig.client.redis.releaseOfOther();
        rig.requireServed();
    }

    /** The key is deleted, with the line, while an owner attempts; nothing is published. */
    @Test
    void lineLost_againstAnAttempt() {
        explore(() -> {
            QueueRig rig = QueueRig.elsewhere(ModelClient.fairByItself());
            rig.client.clock.advance(COMMAND_TIMEOUT.minus(PAUSE.dividedBy(2)));
            together(
                    () -> rig.client.clock.advance(PAUSE),
                    rig.client.redis::delete,
                    rig.client::serve,
                    rig.client::receive);
            rig.client.quiet();
            rig.client.pass(COMMAND_TIMEOUT);
            rig.requireServed();
        });
    }

    /** The key expires, with the line, and others form a new one: all owners join it, although no release notifies them. */
    @Tag("slow")
    @Test
    void lineLost_andFormedAnew() {
        explore(() -> {
            QueueRig rig = QueueRig.elsewhere(ModelClient.fairByItself());
            together(() -> openLineAnew(rig), rig.leaver::leave, rig.client::serve, rig.client::receive);
            rig.client.quiet();
            require(rig.client.redis.hasPlace(), "the owner is in the new line");
            rig.client.redis.releaseOfOther();
            rig.requireServed();
        });
    }

    /** The lock is left free for others, and another one gets it: all owners are in line again afterwards. */
    @Tag("slow")
    @Test
    void leftFree_againstLeave() {
        explore(() -> {
            QueueRig rig = QueueRig.elsewhere(ModelClient.fairByItself());
            rig.client.clock.advance(A_SCRIPT);
            together(rig.client.redis::leaveFreeForOthers, rig.leaver::leave, rig.client::serve, rig.client::receive);
            rig.client.quiet();
            rig.client.pass(COMMAND_TIMEOUT);
            rig.requireServed();
        });
    }

    /** A little later than any attempt before. */
    private static void openLineAnew(QueueRig rig) {
        rig.client.clock.advance(A_SCRIPT);
        rig.client.redis.openLineAnew();
    }
}

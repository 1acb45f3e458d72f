package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.explore;
import static dev.holdfast.interleavings.Orders.exploreClosely;
import static dev.holdfast.interleavings.Orders.together;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A wake-up in any order with owners that arrive, try and leave: it is not lost, although no lease expires afterwards.
 */
class QueueHeadOrdersTest {

    /** Another client releases the lock while the first waiter leaves: the wake-up is not lost with it. */
    @Test
    void message_againstLeave() {
        explore(() -> {
            QueueRig rig = QueueRig.elsewhere(new ModelClient());
            together(rig.client.redis::releaseOfOther, rig.leaver::leave, rig.client::serve, rig.client::receive);
            rig.requireServed();
        });
    }

    /** Another client releases the lock before the subscription is confirmed. */
    @Test
    void message_againstSubscribing() {
        explore(() -> {
            QueueRig rig = new QueueRig();
            rig.client.redis.takeForOther();
            together(rig.client.redis::releaseOfOther, rig.stayer::acquire, rig.client::serve, rig.client::receive);
            rig.requireServed();
        });
    }

    /** The same on a channel that lingers since the queue before, so that no confirmation follows. */
    @Test
    void message_againstSubscribingAgain() {
        explore(() -> {
            QueueRig rig = QueueRig.elsewhere(new ModelClient(Runnable::run));
            rig.client.redis.releaseOfOther();
            rig.client.quiet();
            rig.leaver.release();
            rig.client.quiet();
            rig.stayer.release();
            rig.client.quiet();
            rig.client.clock.advance(Duration.ofMillis(100));
            rig.client.redis.takeForOther();
            together(rig.client.redis::releaseOfOther, rig.stayer::acquire, rig.client::serve, rig.client::receive);
            rig.requireServed();
        });
    }

    /**
     * The holder's lease seems to end just when the lock is released: the message is not lost to the attempt in
     * between.
     */
    @Test
    void leaseEnd_againstMessage() {
        explore(() -> {
            QueueRig rig = QueueRig.elsewhere(new ModelClient(Runnable::run));
            rig.client.clock.advance(ModelClient.WATCHDOG.minus(ModelClient.PAUSE.dividedBy(2)));
            together(
                    () -> rig.client.clock.advance(ModelClient.PAUSE),
                    rig.client.redis::releaseOfOther,
                    rig.client::serve,
                    rig.client::receive);
            rig.requireServed();
        });
    }

    /**
     * The woken waiter leaves without an attempt, while another joins with an outdated reply: that one makes the
     * attempt instead.
     */
    @Test
    void leaveOfTheWoken_againstLateArrival() {
        exploreClosely(() -> {
            QueueRig rig = QueueRig.late();
            together(rig.leaver::leave, rig.client.server::turn, rig.client.wire::turn);
            rig.requireServed();
        });
    }

    /** The holder detects that it has lost the lock, for which there is no message. */
    @Test
    void loss_againstLeave() {
        explore(() -> {
            QueueRig rig = new QueueRig(new ModelClient(Runnable::run));
            rig.holder.acquire();
            rig.client.quiet();
            rig.leaver.acquire();
            rig.stayer.acquire();
            rig.client.quiet();
            rig.client.almostRenewed();
            rig.client.redis.delete();
            together(rig.leaver::leave, () -> rig.client.clock.advance(ModelClient.PAUSE), rig.client::serve);
            rig.client.quiet();
            rig.leaver.releaseIfHeld();
            require(rig.stayer.holds(), "the waiter that stayed has the lock");
            rig.stayer.release();
            rig.holder.release();
            rig.client.requireNothingLeft();
            require(rig.holder.lostIt(), "the release of the previous holder reports the loss");
        });
    }
}

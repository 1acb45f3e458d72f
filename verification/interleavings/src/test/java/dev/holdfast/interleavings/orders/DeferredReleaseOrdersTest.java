package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.awaitWork;
import static dev.holdfast.interleavings.Orders.explore;
import static dev.holdfast.interleavings.Orders.together;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A lock whose release is deferred is requested again or not, in any order: it is acquired or released, and does not
 * stay deferred.
 */
class DeferredReleaseOrdersTest {

    /** No owner arrives: the lock is released once the owners that may return have had the time to do so. */
    @Test
    void deferral_againstItsAnswers() {
        explore(() -> {
            QueueRig rig = QueueRig.early();
            rig.holder.release();
            rig.leaver.release();
            together(rig.stayer::release, rig.client::serve);
            rig.client.requireNothingLeft();
            rig.stayer.requireReleased();
        });
    }

    /** No arriving owner stays: then the lock is released after all. */
    @Test
    void deferral_againstArrivalAndLeave() {
        explore(() -> {
            QueueRig rig = QueueRig.deferred();
            ModelClient.Owner newcomer = rig.client.new Owner();
            together(rig.client::serve, () -> {
                newcomer.acquire();
                newcomer.leave();
            });
            rig.client.quiet();
            newcomer.releaseIfHeld();
            rig.stayer.requireReleased();
            rig.client.requireNothingLeft();
        });
    }

    /**
     * A release is deferred because all owners were served before Redis replied: an arriving owner gets the lock, and
     * one that leaves frees it.
     */
    @Test
    void deferral_againstTwoArrivals() {
        explore(() -> {
            QueueRig rig = QueueRig.deferred();
            ModelClient.Owner newcomer = rig.client.new Owner();
            ModelClient.Owner other = rig.client.new Owner();
            together(
                    newcomer::acquire,
                    () -> {
                        other.acquire();
                        other.leave();
                    },
                    rig.client::serve);
            rig.client.quiet();
            other.releaseIfHeld();
            require(newcomer.holds(), "the owner that arrived has the lock");
            newcomer.release();
            rig.stayer.requireReleased();
            rig.client.requireNothingLeft();
            newcomer.requireReleased();
        });
    }

    /**
     * The key is deleted before the deferral, so that an attempt outside the queue acquires the lock: it is not handed
     * off to an arriving owner.
     */
    @Test
    void deferral_againstAcquireOutsideTheQueue() {
        explore(() -> {
            QueueRig rig = QueueRig.early();
            ModelClient.Owner outsider = rig.client.new Owner();
            ModelClient.Owner newcomer = rig.client.new Owner();
            rig.holder.release();
            rig.leaver.release();
            rig.client.server.turn();
            rig.client.redis.delete();
            outsider.tryAcquire(Duration.ZERO);
            rig.stayer.release();
            together(newcomer::acquire, rig.client::serve);
            require(!rig.client.redis.wasPassedOver(), "no owner handed off what another was known to have");
            rig.client.quiet();
            outsider.releaseIfHeld();
            require(newcomer.isCompleted(), "the owner that arrived was notified, of the grant or of the loss");
            newcomer.releaseIfHeld();
            rig.client.requireNothingLeft();
        });
    }

    /**
     * The owner outside the queue releases the lock during the deferral as well: the deferred release still completes.
     */
    @Test
    void deferral_againstReleaseOutsideTheQueue() {
        explore(() -> {
            QueueRig rig = QueueRig.early();
            ModelClient.Owner outsider = rig.client.new Owner();
            rig.holder.release();
            rig.client.server.turn();
            rig.client.redis.delete();
            outsider.tryAcquire(Duration.ZERO);
            rig.leaver.release();
            rig.stayer.release();
            together(rig.client::serve, () -> {
                if (awaitWork(outsider::holds)) {
                    outsider.release();
                }
            });
            rig.client.quiet();
            require(rig.stayer.isReleased(), "the deferred release has ended");
            require(outsider.isReleased(), "the other release has ended");
            rig.client.requireNothingLeft();
        });
    }

    /**
     * The only waiter is attempting, so that nobody can be handed the lock, and leaves: the reply to its attempt may be
     * the last that happens to the queue.
     */
    @Test
    void deferral_againstLeaveDuringAnAttempt() {
        explore(() -> {
            QueueRig rig = QueueRig.early();
            ModelClient.Owner attempting = rig.client.new Owner();
            rig.holder.release();
            rig.leaver.release();
            attempting.acquire();
            rig.client.wire.publish(rig.client.key().channel());
            rig.client.receive();
            rig.stayer.release();
            together(attempting::leave, rig.client::serve);
            rig.client.quiet();
            attempting.releaseIfHeld();
            rig.stayer.requireReleased();
            rig.client.requireNothingLeft();
        });
    }
}

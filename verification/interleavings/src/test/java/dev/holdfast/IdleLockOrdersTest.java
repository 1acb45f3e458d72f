package dev.holdfast;

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
class IdleLockOrdersTest {

    /** No owner arrives: the lock is released once the owners that may return have had the time to do so. */
    @Test
    void idle_againstItsAnswers() {
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
    void idle_againstOneWhoLeaves() {
        explore(() -> {
            QueueRig rig = QueueRig.idle();
            ModelClient.Owner comer = rig.client.new Owner();
            together(rig.client::serve, () -> {
                comer.acquire();
                comer.leave();
            });
            rig.client.quiet();
            comer.releaseIfHeld();
            rig.stayer.requireReleased();
            rig.client.requireNothingLeft();
        });
    }

    /**
     * A release is deferred because all owners were served before Redis replied: an arriving owner gets the lock, and
     * one that leaves frees it.
     */
    @Test
    void idle_againstOneWhoComesAndLeaves() {
        explore(() -> {
            QueueRig rig = QueueRig.idle();
            ModelClient.Owner comer = rig.client.new Owner();
            ModelClient.Owner other = rig.client.new Owner();
            together(
                    comer::acquire,
                    () -> {
                        other.acquire();
                        other.leave();
                    },
                    rig.client::serve);
            rig.client.quiet();
            other.releaseIfHeld();
            require(comer.holds(), "the owner that arrived has the lock");
            comer.release();
            rig.stayer.requireReleased();
            rig.client.requireNothingLeft();
            comer.requireReleased();
        });
    }

    /**
     * The key is deleted before the deferral, so that an attempt outside the queue acquires the lock: it is not handed
     * off to an arriving owner.
     */
    @Test
    void idle_againstOneWhoGotItElsewhere() {
        explore(() -> {
            QueueRig rig = QueueRig.early();
            ModelClient.Owner past = rig.client.new Owner();
            ModelClient.Owner comer = rig.client.new Owner();
            rig.holder.release();
            rig.leaver.release();
            rig.client.server.turn();
            rig.client.redis.delete();
            past.tryAcquire(Duration.ZERO);
            rig.stayer.release();
            together(comer::acquire, rig.client::serve);
            require(!rig.client.redis.wasPassedOver(), "no owner handed off what another was known to have");
            rig.client.quiet();
            past.releaseIfHeld();
            require(comer.isTold(), "the owner that arrived was notified, of the grant or of the loss");
            comer.releaseIfHeld();
            rig.client.requireNothingLeft();
        });
    }

    /**
     * The owner outside the queue releases the lock during the deferral as well: the deferred release still completes.
     */
    @Test
    void idle_againstReleaseOfOneWhoGotItElsewhere() {
        explore(() -> {
            QueueRig rig = QueueRig.early();
            ModelClient.Owner past = rig.client.new Owner();
            rig.holder.release();
            rig.client.server.turn();
            rig.client.redis.delete();
            past.tryAcquire(Duration.ZERO);
            rig.leaver.release();
            rig.stayer.release();
            together(rig.client::serve, () -> {
                if (awaitWork(past::holds)) {
                    past.release();
                }
            });
            rig.client.quiet();
            require(rig.stayer.isReleased(), "the deferred release has ended");
            require(past.isReleased(), "the other release has ended");
            rig.client.requireNothingLeft();
        });
    }
}

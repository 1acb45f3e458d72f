package dev.holdfast;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.awaitWork;
import static dev.holdfast.interleavings.Orders.explore;
import static dev.holdfast.interleavings.Orders.together;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** However a lock that is kept idle, its release being put off, is wanted again or not: it is had or released, not kept. */
class IdleLockOrdersTest {

    /** Nobody comes: it is released when those who can come back have had the time. */
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

    /** Nobody comes who stays: then it is released after all. */
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

    /** A release is put off because all were served faster than Redis answers: who comes has the lock, and who goes frees it. */
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
            require(comer.holds(), "who came has the lock");
            comer.release();
            rig.stayer.requireReleased();
            rig.client.requireNothingLeft();
            comer.requireReleased();
        });
    }

    /** The key is deleted before it is idle, so that one who just tries has it: it is not handed to who comes. */
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
            require(!rig.client.redis.wasPassedOver(), "nobody handed on what another was known to have");
            rig.client.quiet();
            past.releaseIfHeld();
            require(comer.isTold(), "who came was told that it has the lock, or that it is lost");
            comer.releaseIfHeld();
            rig.client.requireNothingLeft();
        });
    }

    /** Who got it elsewhere gives it back while it is idle as well: the release that is put off is not forgotten for that. */
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
            require(rig.stayer.isReleased(), "the release that was put off has ended");
            require(past.isReleased(), "and the other");
            rig.client.requireNothingLeft();
        });
    }
}

package dev.holdfast;

import static dev.holdfast.interleavings.Orders.explore;
import static dev.holdfast.interleavings.Orders.exploreClosely;
import static dev.holdfast.interleavings.Orders.together;

import org.junit.jupiter.api.Test;

/**
 * However waiters come and leave while the lock is given back: nobody who stays is forgotten, though no lease runs out; one
 * at a time has the lock; each release ends well; and afterwards nothing is left.
 */
class WaitQueueOrdersTest {

    @Test
    void release_againstLeave() {
        explore(() -> {
            QueueRig rig = QueueRig.awaited();
            together(rig.holder::release, rig.leaver::leave, rig.client::serveAndHear);
            rig.requireTurns();
            rig.holder.requireReleased();
        });
    }

    /** Both go: the lock is free, and who comes then has it. */
    @Test
    void release_againstTwoLeaves() {
        explore(() -> {
            QueueRig rig = QueueRig.awaited();
            together(rig.holder::release, rig.leaver::leave, rig.stayer::leave, rig.client::serve);
            rig.client.quiet();
            rig.leaver.releaseIfHeld();
            rig.stayer.releaseIfHeld();
            rig.holder.requireReleased();
            rig.client.requireNothingLeft();
        });
    }

    /** One comes just when the lock is given back: it is handed to him, or he finds it free, or he hears of it. */
    @Test
    void release_againstOneWhoComes() {
        explore(() -> {
            QueueRig rig = QueueRig.held();
            together(rig.holder::release, rig.stayer::acquire, rig.client::serveAndHear);
            rig.requireTurns();
            rig.holder.requireReleased();
        });
    }

    /** One comes and one goes just then. */
    @Test
    void release_againstComingAndLeaving() {
        explore(() -> {
            QueueRig rig = QueueRig.held();
            rig.leaver.acquire();
            rig.client.quiet();
            together(rig.holder::release, rig.leaver::leave, rig.stayer::acquire, rig.client::serve);
            rig.requireTurns();
            rig.holder.requireReleased();
        });
    }

    /** One gives up just when his try has found the lock busy: he is not in line, or is taken out of it. */
    @Test
    void busy_againstLeave() {
        exploreClosely(() -> {
            QueueRig rig = QueueRig.trying();
            together(rig.leaver::leave, rig.client::serve);
            rig.client.redis.releaseOfOther();
            rig.client.requireNothingLeft();
        });
    }
}

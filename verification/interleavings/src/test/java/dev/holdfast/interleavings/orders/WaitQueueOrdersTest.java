package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.explore;
import static dev.holdfast.interleavings.Orders.exploreClosely;
import static dev.holdfast.interleavings.Orders.together;

import org.junit.jupiter.api.Test;

/**
 * Waiters arrive and leave in any order while the lock is released: no remaining waiter is forgotten, although no lease
 * expires; one at a time has the lock; each release succeeds; and afterwards nothing is left.
 */
class WaitQueueOrdersTest {

    @Test
    void release_againstLeave() {
        explore(() -> {
            QueueRig rig = QueueRig.awaited();
            together(rig.holder::release, rig.leaver::leave, rig.client::serveAndReceive);
            rig.requireServed();
            rig.holder.requireReleased();
        });
    }

    /** Both waiters leave: the lock is free, and an owner that arrives then acquires it. */
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

    /** An owner arrives during the release: it gets a handoff, or finds the lock free, or receives the message. */
    @Test
    void release_againstArrival() {
        explore(() -> {
            QueueRig rig = QueueRig.held();
            together(rig.holder::release, rig.stayer::acquire, rig.client::serveAndReceive);
            rig.requireServed();
            rig.holder.requireReleased();
        });
    }

    /** One owner arrives and one waiter leaves during the release. */
    @Test
    void release_againstArrivalAndLeave() {
        explore(() -> {
            QueueRig rig = QueueRig.held();
            rig.leaver.acquire();
            rig.client.quiet();
            together(rig.holder::release, rig.leaver::leave, rig.stayer::acquire, rig.client::serve);
            rig.requireServed();
            rig.holder.requireReleased();
        });
    }

    /**
     * An owner gives up just when its attempt has found the lock busy: it does not join the queue, or is removed from
     * it.
     */
    @Test
    void busy_againstLeave() {
        exploreClosely(() -> {
            QueueRig rig = QueueRig.trying();
            together(rig.leaver::leave, rig.client::serve);
            rig.client.redis.releaseOfOther();
            rig.client.requireNothingLeft();
        });
    }

    /**
     * The client begins to close just when an attempt has found the lock busy: the caller is told, and no queue stays.
     */
    @Test
    void busy_againstClose() {
        exploreClosely(() -> {
            QueueRig rig = QueueRig.trying();
            together(rig.client::stopGranting, rig.client::serve);
            rig.client.quiet();
            require(rig.leaver.isCompleted(), "the acquisition has ended");
            rig.client.redis.releaseOfOther();
            rig.client.requireNothingLeft();
        });
    }
}

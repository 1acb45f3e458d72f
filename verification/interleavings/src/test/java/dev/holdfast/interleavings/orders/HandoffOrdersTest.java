package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.explore;
import static dev.holdfast.interleavings.Orders.exploreClosely;
import static dev.holdfast.interleavings.Orders.together;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A lock is lost, deleted or no longer wanted, in any order, while it is handed off: no remaining waiter is forgotten,
 * although no lease expires; and afterwards nothing is left.
 */
class HandoffOrdersTest {
    /** Within the cohort's budget. */
    private static final Duration WITHIN_THE_BUDGET = Duration.ofMillis(10);

    @Test
    void earlyHandoff_againstLeave() {
        explore(() -> {
            QueueRig rig = QueueRig.early();
            together(rig.holder::release, rig.leaver::leave, rig.client::serveAndReceive);
            rig.requireServed();
            rig.holder.requireReleased();
        });
    }

    /** The connection is lost while the lock is handed off, and the receiver gives up. */
    @Tag("slow")
    @Test
    void cut_againstEarlyHandoffAndLeave() {
        explore(() -> {
            QueueRig rig = QueueRig.early();
            together(rig.holder::release, rig.leaver::leave, rig.client.server::cut, rig.client::serve);
            rig.requireServed();
            rig.holder.requireReleased();
        });
    }

    /**
     * The connection is lost while the lock is handed off: whichever owner has it then, nothing of the attempt is left.
     */
    @Test
    void cut_againstEarlyHandoff() {
        exploreClosely(() -> {
            QueueRig rig = QueueRig.early();
            together(rig.holder::release, rig.client.server::cut, rig.client::serve);
            rig.requireServed();
            rig.holder.requireReleased();
        });
    }

    /**
     * The key is deleted while the lock is handed off: a hold is lost, and the waiters behind it acquire the lock after
     * it.
     */
    @Test
    void deletion_againstEarlyHandoff() {
        exploreClosely(() -> {
            QueueRig rig = QueueRig.early();
            together(rig.holder::release, rig.client.redis::delete, rig.client::serveAndReceive);
            rig.client.quiet();
            require(rig.leaver.isCompleted(), "the next waiter was notified, of the grant or of the loss");
            rig.leaver.releaseIfHeld();
            require(rig.stayer.holds(), "the waiter behind it has the lock");
            rig.stayer.release();
            rig.client.requireNothingLeft();
        });
    }

    /** The key was deleted before the handoff: Redis refuses it, and the next waiter makes an attempt. */
    @Test
    void deletion_againstAwaitedHandoff() {
        explore(() -> {
            QueueRig rig = QueueRig.awaited();
            together(rig.holder::release, rig.client.redis::delete, rig.client::serve);
            rig.client.quiet();
            require(rig.leaver.holds(), "the next waiter has the lock, or had it when the key was deleted");
            rig.leaver.release();
            rig.client.quiet();
            require(rig.stayer.holds(), "the waiter behind it has the lock");
            rig.stayer.release();
            rig.client.requireNothingLeft();
        });
    }

    /**
     * The holder has lost the lock unknowingly, and an owner outside the queue acquires it during the holder's release.
     */
    @Test
    void release_againstAcquireOutsideTheQueue() {
        exploreClosely(() -> {
            ModelClient client = new ModelClient();
            // The next owner wants the fenced lock, so that the handoff to it is sent at once.
            QueueRig rig = QueueRig.early(client, client.key(), client.fencedKey(), client.key());
            ModelClient.Owner outsider = rig.client.new Owner();
            rig.client.redis.delete();
            outsider.tryAcquire(Duration.ZERO);
            together(rig.holder::release, rig.client::serve);
            require(!rig.client.redis.wasPassedOver(), "no owner handed off what another was known to have");
            rig.client.quiet();
            outsider.releaseIfHeld();
            rig.leaver.releaseIfHeld();
            require(rig.stayer.holds(), "the waiter that stayed has the lock");
            rig.stayer.release();
            rig.client.requireNothingLeft();
        });
    }

    /**
     * The client is suspended while the lock is handed off, and the rest of the lease expires; then Redis replies that
     * the handoff was in time. An owner that is granted the lock has it, or has lost it.
     */
    @Test
    void endOfTheLease_againstEarlyHandoff() {
        exploreClosely(2, () -> {
            QueueRig rig = QueueRig.early(new ModelClient(Runnable::run));
            rig.stayer.leave();
            rig.client.quiet();
            rig.client.clock.advance(WITHIN_THE_BUDGET);
            together(
                    () -> {
                        rig.holder.release();
                        rig.client.server.turn();
                        rig.client.server.turn();
                        rig.client.server.turn();
                    },
                    () -> {
                        rig.client.clock.standStill(ModelClient.WATCHDOG.minus(WITHIN_THE_BUDGET.dividedBy(2)));
                        rig.client.clock.advance(Duration.ZERO);
                    });
            rig.client.quiet();
            boolean started = rig.leaver.holds();
            rig.leaver.releaseIfHeld();
            require(!started || rig.leaver.hasReleased() || rig.leaver.lostIt(), "a granted lock was held or lost");
            rig.client.requireNothingLeft();
        });
    }
}

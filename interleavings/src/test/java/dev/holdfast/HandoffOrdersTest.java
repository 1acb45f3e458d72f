package dev.holdfast;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.explore;
import static dev.holdfast.interleavings.Orders.exploreClosely;
import static dev.holdfast.interleavings.Orders.together;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * However a lock that is handed on is lost, gone or not wanted any more meanwhile: nobody who stays is forgotten, though no
 * lease runs out; and afterwards nothing is left.
 */
class HandoffOrdersTest {
    /** The turn is not over by then. */
    private static final Duration INTO_THE_TURN = Duration.ofMillis(10);

    @Test
    void earlyHandoff_againstLeave() {
        explore(() -> {
            QueueRig rig = QueueRig.early();
            together(rig.holder::release, rig.leaver::leave, rig.client::serveAndHear);
            rig.requireTurns();
            rig.holder.requireReleased();
        });
    }

    /** The connection is lost while the lock is handed on, and the one it is handed to goes. */
    @Test
    void cut_againstEarlyHandoffAndLeave() {
        explore(() -> {
            QueueRig rig = QueueRig.early();
            together(rig.holder::release, rig.leaver::leave, rig.client.server::cut, rig.client::serve);
            rig.requireTurns();
            rig.holder.requireReleased();
        });
    }

    /** The connection is lost while the lock is handed on: whoever then has it, nothing of the attempt is left. */
    @Test
    void cut_againstEarlyHandoff() {
        exploreClosely(() -> {
            QueueRig rig = QueueRig.early();
            together(rig.holder::release, rig.client.server::cut, rig.client::serve);
            rig.requireTurns();
            rig.holder.requireReleased();
        });
    }

    /** The key is deleted while the lock is handed on: some hold is lost, and whoever is behind has its turn after it. */
    @Test
    void deletion_againstEarlyHandoff() {
        exploreClosely(() -> {
            QueueRig rig = QueueRig.early();
            together(rig.holder::release, rig.client.redis::delete, rig.client::serveAndHear);
            rig.client.quiet();
            require(rig.leaver.isTold(), "the next one was told, that it has it or that it is lost");
            rig.leaver.releaseIfHeld();
            require(rig.stayer.holds(), "and the one behind");
            rig.stayer.release();
            rig.client.requireNothingLeft();
        });
    }

    /** The key was deleted before the lock is handed on: Redis refuses that, and the next one tries. */
    @Test
    void deletion_againstAwaitedHandoff() {
        explore(() -> {
            QueueRig rig = QueueRig.awaited();
            together(rig.holder::release, rig.client.redis::delete, rig.client::serve);
            rig.client.quiet();
            require(rig.leaver.holds(), "the next one has the lock, or had it when it was deleted");
            rig.leaver.release();
            rig.client.quiet();
            require(rig.stayer.holds(), "and the one behind");
            rig.stayer.release();
            rig.client.requireNothingLeft();
        });
    }

    /** The holder has lost the lock without knowing, and another gets it past the line just when he gives it back. */
    @Test
    void release_againstOneWhoWentPast() {
        exploreClosely(() -> {
            QueueRig rig = QueueRig.early();
            ModelClient.Owner past = rig.client.new Owner();
            rig.client.redis.delete();
            past.tryAcquire(Duration.ZERO);
            together(rig.holder::release, rig.client::serve);
            require(!rig.client.redis.wasPassedOver(), "nobody handed on what another was known to have");
            rig.client.quiet();
            past.releaseIfHeld();
            rig.leaver.releaseIfHeld();
            require(rig.stayer.holds(), "who stayed has the lock");
            rig.stayer.release();
            rig.client.requireNothingLeft();
        });
    }

    /**
     * The client stands still while the lock is handed on, and what is left of the lease runs out; then Redis says that the
     * handoff came in time. Whoever is told that he has the lock has it, or has lost it.
     */
    @Test
    void endOfTheLease_againstEarlyHandoff() {
        exploreClosely(2, () -> {
            QueueRig rig = QueueRig.early(new ModelClient(Runnable::run));
            rig.stayer.leave();
            rig.client.quiet();
            rig.client.clock.advance(INTO_THE_TURN);
            together(
                    () -> {
                        rig.holder.release();
                        rig.client.server.turn();
                        rig.client.server.turn();
                        rig.client.server.turn();
                    },
                    () -> {
                        rig.client.clock.standStill(ModelClient.WATCHDOG.minus(INTO_THE_TURN.dividedBy(2)));
                        rig.client.clock.advance(Duration.ZERO);
                    });
            rig.client.quiet();
            boolean started = rig.leaver.holds();
            rig.leaver.releaseIfHeld();
            require(!started || rig.leaver.hasReleased() || rig.leaver.lostIt(), "who was told so had the lock");
            rig.client.requireNothingLeft();
        });
    }
}

package dev.holdfast;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.explore;
import static dev.holdfast.interleavings.Orders.together;

import org.junit.jupiter.api.Test;

/**
 * However waiters come and leave while the lock is given back, handed on, tried for and lost: nobody who stays is forgotten,
 * though no lease runs out; one at a time has the lock; each release ends well; and afterwards nothing is left.
 */
class WaitQueueOrdersTest {

    /** One who has the lock, and two behind. */
    private static final class Rig {
        final ModelClient client = new ModelClient();
        final ModelClient.Owner holder = client.new Owner();
        final ModelClient.Owner leaver = client.new Owner();
        final ModelClient.Owner stayer = client.new Owner();

        static Rig awaited() {
            Rig rig = new Rig();
            rig.holder.acquire();
            rig.line();
            return rig;
        }

        /** Redis has answered a handoff before, so the next owner starts before the answer. */
        static Rig early() {
            Rig rig = new Rig();
            ModelClient.Owner before = rig.client.new Owner();
            before.acquire();
            rig.client.quiet();
            rig.holder.acquire();
            rig.client.quiet();
            before.release();
            rig.line();
            return rig;
        }

        /** The lock is another client's. */
        static Rig elsewhere() {
            Rig rig = new Rig();
            rig.client.redis.takeForOther();
            rig.leaver.acquire();
            rig.stayer.acquire();
            rig.client.quiet();
            return rig;
        }

        private void line() {
            client.quiet();
            require(holder.holds(), "the first one has it");
            leaver.acquire();
            client.quiet();
            stayer.acquire();
            client.quiet();
        }

        /** Who wanted to leave may have been too late; then he has the lock first. */
        void requireTurns() {
            client.quiet();
            leaver.releaseIfHeld();
            require(stayer.holds(), "who stayed has the lock");
            stayer.release();
            client.requireOneAtATime();
            client.requireNothingLeft();
            stayer.requireReleased();
        }
    }

    @Test
    void release_againstLeave() {
        explore(() -> {
            Rig rig = Rig.awaited();
            together(rig.holder::release, rig.leaver::leave, rig.client::serveAndHear);
            rig.requireTurns();
            rig.holder.requireReleased();
        });
    }

    @Test
    void earlyHandoff_againstLeave() {
        explore(() -> {
            Rig rig = Rig.early();
            together(rig.holder::release, rig.leaver::leave, rig.client::serveAndHear);
            rig.requireTurns();
            rig.holder.requireReleased();
        });
    }

    /** Both go: the lock is free, and who comes then has it. */
    @Test
    void release_againstTwoLeaves() {
        explore(() -> {
            Rig rig = Rig.awaited();
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
            Rig rig = new Rig();
            rig.holder.acquire();
            rig.client.quiet();
            together(rig.holder::release, rig.stayer::acquire, rig.client::serveAndHear);
            rig.requireTurns();
            rig.holder.requireReleased();
        });
    }

    /** One comes and one goes just then. */
    @Test
    void release_againstComingAndLeaving() {
        explore(() -> {
            Rig rig = new Rig();
            rig.holder.acquire();
            rig.client.quiet();
            rig.leaver.acquire();
            rig.client.quiet();
            together(rig.holder::release, rig.leaver::leave, rig.stayer::acquire, rig.client::serve);
            rig.requireTurns();
            rig.holder.requireReleased();
        });
    }

    /** Another client gives the lock back while the first in line goes: the wake-up is not lost with him. */
    @Test
    void message_againstLeave() {
        explore(() -> {
            Rig rig = Rig.elsewhere();
            together(rig.client.redis::releaseOfOther, rig.leaver::leave, rig.client::serve, rig.client::hear);
            rig.requireTurns();
        });
    }

    /** Another client gives the lock back before the subscription is there. */
    @Test
    void message_againstSubscribing() {
        explore(() -> {
            Rig rig = new Rig();
            rig.client.redis.takeForOther();
            together(rig.client.redis::releaseOfOther, rig.stayer::acquire, rig.client::serve, rig.client::hear);
            rig.requireTurns();
        });
    }

    /** The connection is lost while the lock is handed on, and the one it is handed to goes. */
    @Test
    void cut_againstEarlyHandoffAndLeave() {
        explore(() -> {
            Rig rig = Rig.early();
            together(rig.holder::release, rig.leaver::leave, rig.client.server::cut, rig.client::serve);
            rig.requireTurns();
            rig.holder.requireReleased();
        });
    }

    /** The key is deleted while the lock is handed on: some hold is lost, and whoever is behind has its turn after it. */
    @Test
    void deletion_againstEarlyHandoff() {
        explore(() -> {
            Rig rig = Rig.early();
            together(rig.holder::release, rig.client.redis::delete, rig.client::serveAndHear);
            rig.client.quiet();
            require(rig.leaver.isTold(), "the next one was told, that it has it or that it is lost");
            rig.leaver.releaseIfHeld();
            require(rig.stayer.holds(), "and the one behind");
            rig.stayer.release();
            rig.client.requireNothingLeft();
        });
    }

    /** A release is put off because all were served faster than Redis answers: who comes has the lock, and who goes frees it. */
    @Test
    void idle_againstOneWhoComesAndLeaves() {
        explore(() -> {
            Rig rig = Rig.early();
            rig.holder.release();
            rig.leaver.release();
            rig.stayer.release();
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

    /** Nobody comes who stays: then it is released after all. */
    @Test
    void idle_againstOneWhoLeaves() {
        explore(() -> {
            Rig rig = Rig.early();
            rig.holder.release();
            rig.leaver.release();
            rig.stayer.release();
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
}

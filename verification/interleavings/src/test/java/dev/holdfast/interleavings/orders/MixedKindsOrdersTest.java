package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.explore;
import static dev.holdfast.interleavings.Orders.together;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Owners that want the plain and the fenced lock of one name wait in one queue, and hand the lock off to each other, in
 * any order of calls and replies: one at a time has it, no waiter is forgotten, and afterwards nothing is left. A
 * handoff to a fenced owner is awaited, one to a plain owner is not, wherever it comes from.
 */
class MixedKindsOrdersTest {

    /** A plain hold is released; the first waiter is a fenced one, which may leave. */
    @Test
    void plainHold_fencedFirst() {
        explore(() -> {
            ModelClient client = new ModelClient();
            QueueRig rig = QueueRig.early(client, client.key(), client.fencedKey(), client.key());
            together(rig.holder::release, rig.leaver::leave, rig.client::serveAndReceive);
            rig.requireServed();
            rig.holder.requireReleased();
        });
    }

    /** A fenced hold is released; the first waiter is a plain one, which may leave. */
    @Test
    void fencedHold_plainFirst() {
        explore(() -> {
            ModelClient client = new ModelClient();
            QueueRig rig = QueueRig.early(client, client.fencedKey(), client.key(), client.fencedKey());
            together(rig.holder::release, rig.leaver::leave, rig.client::serveAndReceive);
            rig.requireServed();
            rig.holder.requireReleased();
        });
    }

    /** The owner of a fenced hold acquires again, right behind the handoff to a plain waiter. */
    @Test
    void fencedHold_acquiredAgainBehindItsHandoff() {
        explore(() -> {
            ModelClient client = new ModelClient();
            QueueRig rig = QueueRig.early(client, client.fencedKey(), client.key(), client.fencedKey());
            ModelClient.Owner again = rig.holder.again();
            together(
                    () -> {
                        rig.holder.release();
                        again.acquire();
                    },
                    rig.client::serveAndReceive);
            rig.client.quiet();
            rig.leaver.releaseIfHeld();
            require(rig.stayer.holds(), "the second waiter has the lock");
            rig.stayer.release();
            rig.client.quiet();
            require(again.holds(), "the first owner has the lock again");
            again.release();
            rig.client.requireOneAtATime();
            rig.client.requireNothingLeft();
        });
    }

    /** The connection is lost while a fenced hold is handed off to a plain waiter, which may leave. */
    @Test
    void fencedHold_againstCutAndLeave() {
        explore(() -> {
            ModelClient client = new ModelClient();
            QueueRig rig = QueueRig.early(client, client.fencedKey(), client.key(), client.fencedKey());
            together(rig.holder::release, rig.leaver::leave, rig.client.server::cut, rig.client::serve);
            rig.requireServed();
            rig.holder.requireReleased();
        });
    }

    /** The connection is lost while a plain hold is handed off to a fenced waiter, which may leave. */
    @Tag("slow")
    @Test
    void plainHold_againstCutAndLeave() {
        explore(() -> {
            ModelClient client = new ModelClient();
            QueueRig rig = QueueRig.early(client, client.key(), client.fencedKey(), client.key());
            together(rig.holder::release, rig.leaver::leave, rig.client.server::cut, rig.client::serve);
            rig.requireServed();
            rig.holder.requireReleased();
        });
    }
}

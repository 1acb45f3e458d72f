package dev.holdfast;

import static dev.holdfast.interleavings.Interleavings.require;

/** One who has the lock, and two behind, of whom the first may leave. */
final class QueueRig {
    final ModelClient client;
    final ModelClient.Owner holder;
    final ModelClient.Owner leaver;
    final ModelClient.Owner stayer;

    QueueRig(ModelClient client) {
        this.client = client;
        this.holder = client.new Owner();
        this.leaver = client.new Owner();
        this.stayer = client.new Owner();
    }

    QueueRig() {
        this(new ModelClient());
    }

    /** Nobody is behind yet. */
    static QueueRig held() {
        QueueRig rig = new QueueRig();
        rig.holder.acquire();
        rig.client.quiet();
        return rig;
    }

    static QueueRig awaited() {
        QueueRig rig = held();
        rig.line();
        return rig;
    }

    /** Redis has answered a handoff before, so the next owner starts before the answer. */
    static QueueRig early() {
        return early(new ModelClient());
    }

    static QueueRig early(ModelClient client) {
        QueueRig rig = new QueueRig(client);
        ModelClient.Owner before = rig.client.new Owner();
        before.acquire();
        rig.client.quiet();
        rig.holder.acquire();
        rig.client.quiet();
        before.release();
        rig.line();
        return rig;
    }

    /** All were served faster than Redis answers: the last release is put off. */
    static QueueRig idle() {
        QueueRig rig = early();
        rig.holder.release();
        rig.leaver.release();
        rig.stayer.release();
        return rig;
    }

    /** The lock is another client's. */
    static QueueRig elsewhere(ModelClient client) {
        QueueRig rig = new QueueRig(client);
        rig.client.redis.takeForOther();
        rig.leaver.acquire();
        rig.stayer.acquire();
        rig.client.quiet();
        return rig;
    }

    /** The lock is another client's, and a try is on its way. */
    static QueueRig trying() {
        QueueRig rig = new QueueRig();
        rig.client.redis.takeForOther();
        rig.leaver.acquire();
        return rig;
    }

    /** Another client has given the lock back: one is about to be woken, while the answer to the next one is from before. */
    static QueueRig late() {
        QueueRig rig = trying();
        rig.stayer.acquire();
        rig.client.server.turn();
        rig.client.redis.releaseOfOther();
        rig.client.server.turn();
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

package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;

import dev.holdfast.internal.kind.LockKey;

/** A holder of the lock and two waiters, of which the first may leave. */
final class QueueRig {
    final ModelClient client;
    final ModelClient.Owner holder;
    final ModelClient.Owner leaver;
    final ModelClient.Owner stayer;

    QueueRig(ModelClient client) {
        this(client, client.key(), client.key(), client.key());
    }

    /** Each owner wants the lock as the kind of its key. */
    private QueueRig(ModelClient client, LockKey holder, LockKey leaver, LockKey stayer) {
        this.client = client;
        this.holder = client.new Owner(holder);
        this.leaver = client.new Owner(leaver);
        this.stayer = client.new Owner(stayer);
    }

    QueueRig() {
        this(new ModelClient());
    }

    /** {@return a rig without waiters so far} */
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

    /** {@return a rig in which Redis has answered a handoff before, so the next owner starts before the reply} */
    static QueueRig early() {
        return early(new ModelClient());
    }

    static QueueRig early(ModelClient client) {
        return early(client, client.key(), client.key(), client.key());
    }

    static QueueRig early(ModelClient client, LockKey holder, LockKey leaver, LockKey stayer) {
        QueueRig rig = new QueueRig(client, holder, leaver, stayer);
        ModelClient.Owner before = rig.client.new Owner();
        before.acquire();
        rig.client.quiet();
        rig.holder.acquire();
        rig.client.quiet();
        before.release();
        rig.line();
        return rig;
    }

    /** {@return a rig in which all owners were served before Redis replied: the last release is deferred} */
    static QueueRig deferred() {
        QueueRig rig = early();
        rig.holder.release();
        rig.leaver.release();
        rig.stayer.release();
        return rig;
    }

    /** {@return a rig whose lock is held by another client} */
    static QueueRig elsewhere(ModelClient client) {
        QueueRig rig = new QueueRig(client);
        rig.client.redis.takeForOther();
        rig.leaver.acquire();
        rig.stayer.acquire();
        rig.client.quiet();
        return rig;
    }

    /** {@return a rig whose lock is held by another client, with an attempt in flight} */
    static QueueRig trying() {
        QueueRig rig = new QueueRig();
        rig.client.redis.takeForOther();
        rig.leaver.acquire();
        return rig;
    }

    /** {@return a rig whose lock is held by another client, with an attempt in flight that has joined the line} */
    static QueueRig asking() {
        QueueRig rig = new QueueRig(ModelClient.inLineByItself());
        rig.client.redis.takeForOther();
        rig.leaver.acquire();
        rig.stayer.acquire();
        while (!rig.client.redis.hasPlace()) {
            rig.client.turn();
        }
        return rig;
    }

    /**
     * {@return a rig in which another client has released the lock: one waiter is about to be woken, while the reply to
     * the next is outdated}
     */
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
        require(holder.holds(), "the first owner has the lock");
        leaver.acquire();
        client.quiet();
        stayer.acquire();
        client.quiet();
    }

    /** The leaver may have been granted the lock before it could leave; then it has the lock first. */
    void requireServed() {
        client.quiet();
        leaver.releaseIfHeld();
        require(stayer.holds(), "the waiter that stayed has the lock");
        stayer.release();
        client.requireOneAtATime();
        client.requireNothingLeft();
        stayer.requireReleased();
    }
}

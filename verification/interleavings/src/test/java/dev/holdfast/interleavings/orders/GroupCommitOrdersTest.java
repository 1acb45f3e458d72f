package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.exploreClosely;
import static dev.holdfast.interleavings.Orders.together;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A lock is handed off a second time while Redis has not answered the first handoff, in any order with replies, a lost
 * connection, a deleted key and another command about the lock: the last owner has the lock, or knows that it is lost,
 * every caller is told, and nothing is left.
 */
class GroupCommitOrdersTest {
    @Test
    void secondHandoff_againstTheReply() {
        exploreClosely(() -> {
            QueueRig rig = underWay();
            together(rig.leaver::release, rig.client::serve);
            requireLastHolds(rig);
        });
    }

    @Tag("slow")
    @Test
    void cut_againstSecondHandoff() {
        exploreClosely(() -> {
            QueueRig rig = underWay();
            together(rig.leaver::release, rig.client.server::cut, rig.client::serve);
            requireLastHolds(rig);
        });
    }

    /** Another owner tries: its attempt is behind a commit, and finds the lock busy. */
    @Tag("slow")
    @Test
    void attempt_againstSecondHandoff() {
        exploreClosely(() -> {
            QueueRig rig = underWay();
            ModelClient.Owner outsider = rig.client.new Owner();
            together(rig.leaver::release, () -> outsider.tryAcquire(Duration.ZERO), rig.client::serve);
            rig.client.quiet();
            require(!outsider.holds(), "an owner outside the queue found the lock busy");
            requireLastHolds(rig);
        });
    }

    /** The last owner releases at once: its release is deferred, or behind a commit. */
    @Test
    void release_againstTheReply() {
        exploreClosely(() -> {
            QueueRig rig = underWay();
            rig.leaver.release();
            require(rig.stayer.holds(), "the last owner has started");
            together(rig.stayer::release, rig.client::serve);
            requireAllReleased(rig);
        });
    }

    @Tag("slow")
    @Test
    void cut_againstReleaseOfTheLast() {
        exploreClosely(() -> {
            QueueRig rig = underWay();
            rig.leaver.release();
            together(rig.stayer::release, rig.client.server::cut, rig.client::serve);
            requireAllReleased(rig);
        });
    }

    /** The key is deleted: owners that had the lock only after that learn of it, and nobody waits for a reply. */
    @Tag("slow")
    @Test
    void deletion_againstSecondHandoff() {
        exploreClosely(() -> {
            QueueRig rig = underWay();
            together(rig.leaver::release, rig.client.redis::delete, rig.client::serveAndReceive);
            rig.client.quiet();
            rig.stayer.releaseIfHeld();
            rig.client.quiet();
            require(rig.holder.isReleased() && rig.leaver.isReleased(), "every release has an outcome");
            require(rig.stayer.isCompleted(), "the last owner was told");
            rig.client.requireNothingLeft();
        });
    }

    /**
     * The key was deleted, and an acquire that was sent before the handoffs is granted after them. Its owner releases
     * before the refusal of the first commit is known: the next waiter has the lock from that owner, although the chain
     * before is lost.
     */
    @Test
    void releaseOfANewcomer_againstTheRefusal() {
        exploreClosely(() -> {
            QueueRig rig = QueueRig.early();
            ModelClient.Owner newcomer = rig.client.new Owner();
            ModelClient.Owner trying = rig.client.new Owner();
            ModelClient.Owner last = rig.client.new Owner();
            trying.acquire();
            last.acquire();
            rig.client.redis.delete();
            newcomer.tryAcquire(Duration.ZERO);
            rig.holder.release();
            rig.leaver.release();
            while (!newcomer.holds()) {
                rig.client.server.turn();
            }
            together(newcomer::release, rig.client::serve);
            rig.client.quiet();
            newcomer.requireReleased();
            (last.holds() ? last : trying).releaseIfHeld();
            (last.hasReleased() ? trying : last).releaseIfHeld();
            require(last.hasReleased() && trying.hasReleased(), "the waiters behind have had the lock");
            rig.stayer.releaseIfHeld();
            require(rig.stayer.lostIt(), "the last owner of the chain knows of its loss");
            rig.client.requireNothingLeft();
        });
    }

    /** {@return a rig whose lock was handed off once; Redis has not answered, and the second owner has started} */
    private static QueueRig underWay() {
        QueueRig rig = QueueRig.early();
        rig.holder.release();
        require(rig.leaver.holds(), "the second owner has started");
        return rig;
    }

    private static void requireLastHolds(QueueRig rig) {
        rig.client.quiet();
        require(rig.stayer.holds(), "the last owner has the lock");
        rig.stayer.release();
        requireAllReleased(rig);
    }

    private static void requireAllReleased(QueueRig rig) {
        rig.client.requireOneAtATime();
        rig.client.requireNothingLeft();
        rig.holder.requireReleased();
        rig.leaver.requireReleased();
        rig.stayer.requireReleased();
    }
}

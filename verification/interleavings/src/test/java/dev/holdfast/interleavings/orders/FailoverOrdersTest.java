package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.explore;
import static dev.holdfast.interleavings.Orders.exploreClosely;
import static dev.holdfast.interleavings.Orders.together;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A replica takes the place of the master at any moment, and has an owner that has released the lock since: the present
 * owner keeps it, no other owner of the client gets it meanwhile, and nothing is left.
 */
class FailoverOrdersTest {
    /** A client of which one owner has released the lock, and another one has it. The replica has missed both. */
    private static final class Rig {
        final ModelClient client = ModelClient.withReplica();
        final ModelClient.Owner former = client.new Owner();
        final ModelClient.Owner present = client.new Owner();

        Rig() {
            former.acquire();
            client.quiet();
            client.redis.cutReplication();
            former.release();
            client.quiet();
            present.acquire();
            client.quiet();
            require(present.holds(), "the second owner has the lock");
        }

        void failOver() {
            client.shard().failOver();
        }

        void requireReleased() {
            client.quiet();
            present.requireReleased();
            client.requireOneAtATime();
            client.requireNothingLeft();
        }
    }

    /** The present owner releases the lock: whichever command comes first at the replica, that succeeds. */
    @Tag("slow")
    @Test
    void failover_againstRelease() {
        exploreClosely(() -> {
            Rig rig = new Rig();
            together(rig.present::release, rig::failOver, rig.client::serve);
            rig.requireReleased();
        });
    }

    /** The former owner tries to acquire the lock: it finds it busy. */
    @Test
    void failover_againstAcquireOfTheFormerOwner() {
        explore(() -> {
            Rig rig = new Rig();
            ModelClient.Owner again = rig.former.again();
            together(() -> again.tryAcquire(Duration.ZERO), rig::failOver, rig.client::serve);
            rig.client.quiet();
            require(!again.holds(), "the former owner does not have the lock");
            rig.present.release();
            rig.requireReleased();
        });
    }

    /** The present owner re-enters the lock. */
    @Test
    void failover_againstReentry() {
        explore(() -> {
            Rig rig = new Rig();
            ModelClient.Owner again = rig.present.again();
            together(() -> again.tryAcquire(Duration.ZERO), rig::failOver, rig.client::serve);
            rig.client.quiet();
            require(again.holds(), "the present owner has entered again");
            again.release();
            rig.client.quiet();
            again.requireReleased();
            rig.present.release();
            rig.client.quiet();
            rig.present.requireReleased();
            rig.client.requireNothingLeft();
        });
    }

    /** The lock is handed off, and the receiver starts with the reply. */
    @Test
    void failover_againstAwaitedHandoff() {
        explore(() -> {
            Rig rig = new Rig();
            ModelClient.Owner next = rig.client.new Owner();
            next.acquire();
            rig.client.quiet();
            together(rig.present::release, rig::failOver, rig.client::serve);
            rig.client.quiet();
            require(next.holds(), "the waiter has the lock");
            next.release();
            rig.requireReleased();
        });
    }

    /** The lock is handed off to receivers that start at once. */
    @Test
    void failover_againstEarlyHandoffs() {
        explore(() -> {
            QueueRig rig = QueueRig.early(ModelClient.withReplica());
            rig.client.redis.cutReplication();
            together(rig.holder::release, rig.client.shard()::failOver, rig.client::serveAndReceive);
            rig.client.quiet();
            // A waiter whose attempt is in flight can be overtaken by the next one.
            ModelClient.Owner first = rig.leaver.holds() ? rig.leaver : rig.stayer;
            ModelClient.Owner second = rig.leaver.holds() ? rig.stayer : rig.leaver;
            require(first.holds(), "a waiter has the lock");
            first.release();
            rig.client.quiet();
            require(second.holds(), "the other waiter has the lock");
            second.release();
            rig.client.requireOneAtATime();
            rig.client.requireNothingLeft();
            rig.holder.requireReleased();
            first.requireReleased();
            second.requireReleased();
        });
    }

    /** The same, of which the replica has the first only. */
    @Test
    void failover_againstCommittedHandoffs() {
        explore(() -> {
            QueueRig rig = QueueRig.early(ModelClient.withReplica());
            rig.client.redis.cutReplication();
            rig.holder.release();
            rig.client.quiet();
            require(rig.leaver.holds(), "the lock was handed off");
            together(rig.leaver::release, rig.client.shard()::failOver, rig.client::serveAndReceive);
            rig.client.quiet();
            require(rig.stayer.holds(), "the waiter has the lock");
            rig.stayer.release();
            rig.client.requireOneAtATime();
            rig.client.requireNothingLeft();
            rig.leaver.requireReleased();
            rig.stayer.requireReleased();
        });
    }
}

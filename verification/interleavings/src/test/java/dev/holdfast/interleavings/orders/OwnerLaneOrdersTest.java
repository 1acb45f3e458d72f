package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.explore;
import static dev.holdfast.interleavings.Orders.exploreClosely;
import static dev.holdfast.interleavings.Orders.together;

import org.junit.jupiter.api.Test;

/** Whatever an owner does while an abandoned grant to it is in flight, no tenure of it stays in Redis. */
class OwnerLaneOrdersTest {

    /** The caller gives up while Redis replies: a granted lock is released. */
    @Test
    void leave_againstTheGrant() {
        exploreClosely(() -> {
            ModelClient client = new ModelClient();
            ModelClient.Owner owner = client.new Owner();
            owner.acquire();
            together(owner::leave, client::serve);
            client.quiet();
            owner.releaseIfHeld();
            client.requireNothingLeft();
        });
    }

    /**
     * Another call of the same owner arrives meanwhile: it gets the lock, and the release of the orphan does not remove
     * it.
     */
    @Test
    void leave_againstTheNextOfTheOwner() {
        explore(() -> {
            ModelClient client = new ModelClient();
            ModelClient.Owner gone = client.new Owner();
            ModelClient.Owner next = gone.again();
            gone.acquire();
            together(gone::leave, next::acquire, client::serve);
            client.quiet();
            require(next.holds() && next.isHeld(), "the owner has the lock");
            require(!client.redis.isFree(), "the owner has the lock in Redis too");
            gone.releaseIfHeld();
            next.release();
            client.quiet();
            next.requireReleased();
            client.requireNothingLeft();
        });
    }

    /** The connection is lost, so it is unknown whether the lock was granted, and the caller gives up. */
    @Test
    void cut_againstLeave() {
        explore(() -> {
            ModelClient client = new ModelClient();
            ModelClient.Owner owner = client.new Owner();
            owner.acquire();
            together(owner::leave, client.server::cut, client::serve);
            client.quiet();
            owner.releaseIfHeld();
            client.requireNothingLeft();
        });
    }
}

package dev.holdfast;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.explore;
import static dev.holdfast.interleavings.Orders.together;

import org.junit.jupiter.api.Test;

/** However releases and re-entries fall among the renewals of holds and their answers. */
class HoldOrdersTest {

    /** A hold is given back while it is renewed: that ends well, and it is not renewed any more. */
    @Test
    void release_againstRenewal() {
        explore(() -> {
            ModelClient client = new ModelClient(Runnable::run);
            ModelClient.Owner owner = client.new Owner();
            owner.acquire();
            client.almostRenewed();
            together(owner::release, () -> client.clock.advance(ModelClient.MOMENT), client::serve);
            client.quiet();
            owner.requireReleased();
            client.requireNothingLeft();
        });
    }

    /** A hold is entered and left again meanwhile: the outer level has it still, and has it renewed. */
    @Test
    void reentry_againstRenewal() {
        explore(() -> {
            ModelClient client = new ModelClient(Runnable::run);
            ModelClient.Owner outer = client.new Owner(client.otherKey());
            ModelClient.Owner inner = outer.again();
            outer.acquire();
            client.almostRenewed();
            together(
                    () -> {
                        inner.acquire();
                        inner.release();
                    },
                    () -> client.clock.advance(ModelClient.MOMENT),
                    client::serve);
            client.quiet();
            client.pass(ModelClient.WATCHDOG.multipliedBy(2));
            require(outer.isHeld(), "the outer level is held and renewed");
            outer.release();
            client.quiet();
            outer.requireReleased();
            client.requireNothingLeft();
        });
    }

    /** It has run out here while its renewal was answered, and its owner acquires again: there is the one hold or a new one, not both. */
    @Test
    void reentry_againstTheRenewalOfOneThatRanOut() {
        explore(() -> {
            ModelClient client = new ModelClient(Runnable::run);
            ModelClient.Owner before = client.new Owner();
            ModelClient.Owner after = before.again();
            before.acquire();
            client.almostRenewed();
            client.clock.advance(ModelClient.MOMENT);
            client.server.turn();
            client.clock.standStill(ModelClient.WATCHDOG.minus(ModelClient.RENEWAL));
            together(after::acquire, client::serve);
            client.quiet();
            require(after.holds(), "the owner has the lock");
            require(client.engine.stats().holds() == 1, "and one hold of it");
            after.release();
            before.release();
            client.quiet();
            after.requireReleased();
            client.requireNothingLeft();
        });
    }

    /** Holds of two kinds are asked about by two commands: whatever else is answered first, a loss is known with the answers. */
    @Test
    void loss_amongTheRenewalsOfTwoKinds() {
        explore(() -> {
            ModelClient client = new ModelClient(Runnable::run);
            ModelClient.Owner kept = client.new Owner();
            ModelClient.Owner robbed = client.new Owner(client.otherKey());
            kept.acquire();
            robbed.acquire();
            client.almostRenewed();
            client.otherRedis.delete();
            together(kept::release, () -> client.clock.advance(ModelClient.MOMENT), client::serve);
            client.quiet();
            require(!robbed.isHeld(), "the loss is known");
            robbed.release();
            client.quiet();
            kept.requireReleased();
            require(robbed.lostIt(), "and told with the release");
            client.requireNothingLeft();
        });
    }

    /** The key is gone while its hold is given back and asked about: it is told as lost or was given back before. */
    @Test
    void deletion_againstReleaseAndRenewal() {
        explore(() -> {
            ModelClient client = new ModelClient(Runnable::run);
            ModelClient.Owner owner = client.new Owner();
            owner.acquire();
            client.almostRenewed();
            together(
                    owner::release,
                    client.redis::delete,
                    () -> client.clock.advance(ModelClient.MOMENT),
                    client::serve);
            client.quiet();
            require(owner.isReleased(), "the release has ended, one way or the other");
            client.requireNothingLeft();
        });
    }
}

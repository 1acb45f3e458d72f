package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.explore;
import static dev.holdfast.interleavings.Orders.exploreClosely;
import static dev.holdfast.interleavings.Orders.together;

import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Releases and re-entries in any order with the renewals of holds and their replies. */
class HoldOrdersTest {

    /** A hold is released while it is renewed: both succeed, and it is not renewed any more. */
    @Test
    void release_againstRenewal() {
        explore(() -> {
            ModelClient client = new ModelClient(Runnable::run);
            ModelClient.Owner owner = client.new Owner();
            owner.acquire();
            client.almostRenewed();
            together(owner::release, () -> client.clock.advance(ModelClient.PAUSE), client::serve);
            client.quiet();
            owner.requireReleased();
            client.requireNothingLeft();
        });
    }

    /** The caller is notified of the grant while its owner releases the hold: it was granted, and not lost. */
    @Test
    void release_againstTheNotificationOfTheGrant() {
        exploreClosely(() -> {
            Queue<Runnable> callbacks = new ArrayDeque<>();
            ModelClient client = new ModelClient(callbacks::add);
            ModelClient.Owner owner = client.new Owner();
            owner.acquire();
            client.quiet();
            Runnable notification = callbacks.remove();
            together(owner::release, notification);
            client.quiet();
            callbacks.forEach(Runnable::run);
            require(owner.holds(), "the call has returned the hold");
            owner.requireReleased();
            client.requireNothingLeft();
        });
    }

    /** A hold is re-entered and unlocked once meanwhile: the outer level still holds it, and it is renewed. */
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
                    () -> client.clock.advance(ModelClient.PAUSE),
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

    /**
     * The hold has expired in the client while its renewal was answered, and its owner acquires again: there is the one
     * hold or a new one, not both.
     */
    @Test
    void reentry_againstTheRenewalOfOneThatRanOut() {
        explore(() -> {
            ModelClient client = new ModelClient(Runnable::run);
            ModelClient.Owner before = client.new Owner();
            ModelClient.Owner after = before.again();
            before.acquire();
            client.almostRenewed();
            client.clock.advance(ModelClient.PAUSE);
            client.server.turn();
            client.clock.standStill(ModelClient.WATCHDOG.minus(ModelClient.RENEWAL));
            together(after::acquire, client::serve);
            client.quiet();
            require(after.holds(), "the owner has the lock");
            require(client.core.stats().holds() == 1, "there is one hold of the lock");
            after.release();
            before.release();
            client.quiet();
            after.requireReleased();
            client.requireNothingLeft();
        });
    }

    /**
     * Holds of two kinds are renewed by two commands: whichever reply comes first, a loss is known with the replies.
     */
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
            together(kept::release, () -> client.clock.advance(ModelClient.PAUSE), client::serve);
            client.quiet();
            require(!robbed.isHeld(), "the loss is known");
            robbed.release();
            client.quiet();
            kept.requireReleased();
            require(robbed.lostIt(), "the release reports the loss");
            client.requireNothingLeft();
        });
    }

    /** The key is gone while its hold is released and renewed: it is reported lost, or was released before. */
    @Test
    void deletion_againstReleaseAndRenewal() {
        explore(() -> {
            ModelClient client = new ModelClient(Runnable::run);
            ModelClient.Owner owner = client.new Owner();
            owner.acquire();
            client.almostRenewed();
            together(
                    owner::release, client.redis::delete, () -> client.clock.advance(ModelClient.PAUSE), client::serve);
            client.quiet();
            require(owner.isReleased(), "the release has ended");
            client.requireNothingLeft();
        });
    }
}

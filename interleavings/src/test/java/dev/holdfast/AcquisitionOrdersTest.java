package dev.holdfast;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.explore;
import static dev.holdfast.interleavings.Orders.together;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The end of a wait among all that can end it otherwise: the caller is told one thing, and Redis has what he was told. */
class AcquisitionOrdersTest {
    private static final Duration WAIT = Duration.ofSeconds(1);

    @Test
    void deadline_againstReleaseElsewhere() {
        explore(() -> {
            ModelClient client = new ModelClient(Runnable::run);
            client.redis.takeForOther();
            ModelClient.Owner owner = client.new Owner();
            owner.tryAcquire(WAIT);
            client.quiet();
            together(() -> client.clock.advance(WAIT), client.redis::releaseOfOther, client::serve, client::hear);
            requireTruth(client, owner);
        });
    }

    @Test
    void deadline_againstHandoffAndLeave() {
        explore(() -> {
            ModelClient client = new ModelClient(Runnable::run);
            ModelClient.Owner holder = client.new Owner();
            ModelClient.Owner owner = client.new Owner();
            holder.acquire();
            client.quiet();
            owner.tryAcquire(WAIT);
            client.quiet();
            together(() -> client.clock.advance(WAIT), holder::release, owner::leave, client::serve);
            client.quiet();
            holder.requireReleased();
            requireTruth(client, owner);
        });
    }

    private static void requireTruth(ModelClient client, ModelClient.Owner owner) {
        client.quiet();
        require(owner.isTold(), "the caller was told");
        require(owner.holds() != client.redis.isFree(), "what Redis has is what he was told");
        owner.releaseIfHeld();
        client.requireNothingLeft();
    }
}

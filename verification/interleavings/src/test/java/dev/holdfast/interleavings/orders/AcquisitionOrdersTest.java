package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.explore;
import static dev.holdfast.interleavings.Orders.exploreClosely;
import static dev.holdfast.interleavings.Orders.together;

import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.acquire.Acquisition;
import dev.holdfast.internal.hold.Ownership;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The timeout of a wait against every other way it can end: the caller gets one outcome, and Redis agrees with it. */
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
            together(() -> client.clock.advance(WAIT), client.redis::releaseOfOther, client::serve, client::receive);
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

    /** A caller without a future, since a future itself ensures a single outcome. */
    private static final class Caller extends Acquisition {
        private final List<State> ends = new ArrayList<>();

        Caller(ModelClient client, long ownerId) {
            super(
                    client.core.acquisitions(),
                    new AcquireRequest(
                            client.key(),
                            ownerId,
                            Ownership.OWNER_ID,
                            client.core.holds().watchedLease(),
                            WAIT.toNanos()));
        }

        @Override
        protected void onSettled(State how) {
            ends.add(how);
        }

        @Override
        public @Nullable Thread boundThread() {
            return null;
        }
    }

    /** The wait times out while Redis grants the lock. */
    @Test
    void deadline_againstTheGrant() {
        exploreClosely(() -> {
            ModelClient client = new ModelClient(Runnable::run);
            client.redis.takeForOther();
            Caller caller = client.core
                    .acquisitions()
                    .begin(new Caller(client, client.core.session().owners().newOwnerId()));
            client.quiet();
            client.redis.releaseOfOther();
            client.receive();
            together(() -> client.clock.advance(WAIT), client::serve);
            client.quiet();
            require(caller.ends.size() == 1, "the acquisition ends in one way, was " + caller.ends);
            boolean granted = caller.ends.contains(Acquisition.State.GRANTED);
            require(granted != client.redis.isFree(), "Redis agrees with the outcome that the caller got");
            if (granted) {
                CompletableFuture<?> released = client.core.holds().release(client.key(), caller.ownerId());
                client.quiet();
                require(released.isDone() && !released.isCompletedExceptionally(), "the release succeeded");
            }
            client.requireNothingLeft();
        });
    }

    private static void requireTruth(ModelClient client, ModelClient.Owner owner) {
        client.quiet();
        require(owner.isCompleted(), "the caller got an outcome");
        require(owner.holds() != client.redis.isFree(), "Redis agrees with the outcome that the caller got");
        owner.releaseIfHeld();
        client.requireNothingLeft();
    }
}

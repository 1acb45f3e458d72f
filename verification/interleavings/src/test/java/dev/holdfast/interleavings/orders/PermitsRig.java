package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;

import dev.holdfast.interleavings.orders.ModelClient.Owner;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.testkit.ManualTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Two clients of a semaphore, and their owners, each of which acquires once. */
final class PermitsRig {
    private static final int LIMIT = 2;
    private static final Duration STEP = Duration.ofSeconds(1);

    final ManualTimer clock = new ManualTimer();
    private final ModelChannels channels = new ModelChannels();
    final ModelPermitsLine redis =
            new ModelPermitsLine(channels, () -> TimeUnit.NANOSECONDS.toMicros(clock.nanoTime()));
    final ModelClient one = ModelClient.inLineFor(redis, channels, clock);
    final ModelClient other = ModelClient.inLineFor(redis, channels, clock);
    private final List<Owner> owners = new ArrayList<>();
    private int largestLimit;

    /** {@return an owner that requests so many permits} */
    Owner owner(ModelClient client, int permits) {
        return owner(client, permits, LIMIT);
    }

    /** The same, of so many. */
    Owner owner(ModelClient client, int permits, int limit) {
        Owner owner = client.new Owner(new LockKey(redis, "orders:46", "", limit), permits);
        owners.add(owner);
        largestLimit = Math.max(largestLimit, limit);
        return owner;
    }

    /** {@return one that has its permits} */
    Owner holding(ModelClient client, int permits) {
        Owner owner = owner(client, permits);
        owner.acquire();
        requireHold(owner);
        return owner;
    }

    /** {@return one that waits} */
    Owner waiting(ModelClient client, int permits) {
        Owner owner = owner(client, permits);
        owner.acquire();
        quiet();
        require(!owner.isCompleted(), "the owner waits");
        return owner;
    }

    /** Processes all replies and messages, and ends the short pauses; no time passes. */
    void quiet() {
        do {
            one.quiet();
            other.quiet();
        } while (one.hasWork() || other.hasWork());
    }

    /** An owner of this client releases its permits, and the client does nothing else meanwhile. */
    void release(Owner owner, ModelClient client) {
        owner.release();
        while (client.hasWork()) {
            client.turn();
        }
    }

    /** Lets time pass, and processes all replies and messages. */
    void pass(Duration time) {
        for (Duration left = time; left.compareTo(Duration.ZERO) > 0; left = left.minus(STEP)) {
            clock.advance(STEP.compareTo(left) < 0 ? STEP : left);
            quiet();
        }
    }

    /** {@return those that have their permits, as far as their clients know} */
    private Stream<Owner> holders() {
        return owners.stream().filter(owner -> owner.holds() && !owner.isReleased() && owner.isHeld());
    }

    /** These owners have their permits, without any time that has passed; what each client takes for held is held in Redis. */
    void requireHold(Owner... wanted) {
        quiet();
        for (Owner owner : wanted) {
            require(owner.holds(), "the owner has its permits");
        }
        requireTruth();
    }

    private void requireTruth() {
        holders()
                .forEach(owner -> require(
                        redis.numberOf(owner.hold().inRedis().claim()) == owner.drawn(),
                        "Redis has what the client takes for held, by its number"));
        long numbers = holders().map(Owner::drawn).distinct().count();
        require(numbers == holders().count(), "each owner has a number of its own");
        require(redis.mostHeld() <= largestLimit, "no more are held than the limit, were " + redis.mostHeld());
    }

    /** Releases what an owner has that may have been granted it before it left. */
    void releaseIfHeld(Owner owner) {
        quiet();
        owner.releaseIfHeld();
        quiet();
    }

    /** The same as {@link #finish}, and this owner learns that it has lost its hold. */
    void finishAfterLossOf(Owner loser) {
        loser.release();
        quiet();
        require(loser.lostIt(), "the loss is known");
        finish();
    }

    /** Whatever is held is released, and nothing is left. */
    void finish() {
        quiet();
        requireTruth();
        List<Owner> last = holders().toList();
        last.forEach(Owner::release);
        quiet();
        last.forEach(Owner::requireReleased);
        require(owners.stream().allMatch(Owner::isCompleted), "no owner waits");
        one.requireNothingLeft();
        other.requireNothingLeft();
    }
}

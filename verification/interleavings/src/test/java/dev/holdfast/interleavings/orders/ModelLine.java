package dev.holdfast.interleavings.orders;

import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.Enlists;
import dev.holdfast.internal.kind.GrantMessage;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.pubsub.AnsweringWire;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The same lock with a line of clients, in which the client is the only one: a release by another owner grants it the
 * lock.
 */
final class ModelLine extends ModelRedis implements Enlists {
    private final Consumer<String> toLine;
    private final AnsweringWire wire;
    private final Supplier<String> grantChannel;
    private final LongSupplier micros;

    // Guarded by this.
    private String waiter = "";
    private long tenure;
    private String leftFree = "";

    /**
     * @param onRelease publishes a release
     * @param toLine publishes to the clients in line
     * @param grantChannel the channel of the grants to the client
     * @param micros the server's time
     */
    ModelLine(
            Runnable onRelease,
            Consumer<String> toLine,
            AnsweringWire wire,
            Supplier<String> grantChannel,
            LongSupplier micros) {
        super(onRelease);
        this.toLine = toLine;
        this.wire = wire;
        this.grantChannel = grantChannel;
        this.micros = micros;
    }

    @Override
    synchronized boolean hasPlace() {
        return !waiter.isEmpty();
    }

    @Override
    synchronized void delete() {
        super.delete();
        waiter = "";
    }

    @Override
    synchronized void releaseOfOther() {
        String first = waiter;
        if (first.isEmpty() || !wire.hasSubscribed(grantChannel.get())) {
            super.releaseOfOther();
            return;
        }
        waiter = "";
        take(first, tenure, 1);
        wire.publish(grantChannel.get(), first + " " + tenure + " " + micros.getAsLong());
    }

    @Override
    synchronized void openLineAnew() {
        super.openLineAnew();
        toLine.accept("opened " + micros.getAsLong());
    }

    @Override
    synchronized void leaveFreeForOthers() {
        leftFree = "1 " + micros.getAsLong();
        toLine.accept(leftFree);
        super.releaseOfOther();
    }

    @Override
    synchronized void repeatLeftFree() {
        toLine.accept(leftFree);
    }

    @Override
    synchronized void watch(Duration lease) {
        wire.publish(grantChannel.get(), "watch " + lease.toMillis());
    }

    @Override
    synchronized void noteReleased(String by, long ofTenure, boolean held) {
        if (tenure <= ofTenure && (held || waiter.equals(by))) {
            waiter = "";
        }
    }

    @Override
    public Call releaseToLine(Claim claim, Call.Callback caller) {
        return release(claim, caller);
    }

    @Override
    public boolean startsOn(GrantMessage message) {
        return true;
    }

    @Override
    public Call acquireOrEnlist(Claim claim, long grantLeaseMillis, Call.Callback caller) {
        return command("an acquire for a place", caller, () -> {
            long answer = acquire(owner(claim), claim.tenure(), claim.count());
            if (answer >= 0 || !wire.hasSubscribed(grantChannel.get())) {
                return one(answer);
            }
            if (waiter.isEmpty() || tenure <= claim.tenure()) {
                waiter = owner(claim);
                tenure = claim.tenure();
            }
            return new long[] {answer, 0, micros.getAsLong()};
        });
    }
}

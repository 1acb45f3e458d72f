package dev.holdfast.interleavings.orders;

import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.Enlists;
import dev.holdfast.internal.kind.GrantMessage;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.pubsub.AnsweringWire;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    private final Unit unit;

    // Guarded by this.
    /** By whose place it is. */
    private final Map<String, Waiter> line = new LinkedHashMap<>();

    private String leftFree = "";

    private record Waiter(String owner, long tenure) {}

    /**
     * @param onRelease publishes a release
     * @param toLine publishes to the clients in line
     * @param grantChannel the channel of the grants to the client
     * @param micros the server's time
     * @param unit whose the places are
     */
    ModelLine(
            Runnable onRelease,
            Consumer<String> toLine,
            AnsweringWire wire,
            Supplier<String> grantChannel,
            LongSupplier micros,
            Unit unit) {
        super(onRelease);
        this.unit = unit;
        this.toLine = toLine;
        this.wire = wire;
        this.grantChannel = grantChannel;
        this.micros = micros;
    }

    @Override
    synchronized boolean hasPlace() {
        return !line.isEmpty();
    }

    @Override
    synchronized int places() {
        return line.size();
    }

    @Override
    public Unit unit() {
        return unit;
    }

    @Override
    synchronized void delete() {
        super.delete();
        line.clear();
    }

    @Override
    synchronized void releaseOfOther() {
        if (line.isEmpty() || !wire.hasSubscribed(grantChannel.get())) {
            super.releaseOfOther();
            return;
        }
        Waiter first = line.remove(line.keySet().iterator().next());
        take(first.owner(), first.tenure(), 1);
        wire.publish(grantChannel.get(), first.owner() + " " + first.tenure() + " " + micros.getAsLong());
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
        Waiter waiter = line.get(place(by, unit));
        if (waiter != null
                && waiter.tenure() <= ofTenure
                && (held || waiter.owner().equals(by))) {
            line.remove(place(by, unit));
        }
    }

    private static String place(String owner, Unit of) {
        return of == Unit.OWNER ? owner : "the client";
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
    public Call acquireOrEnlist(Claim claim, long grantLeaseMillis, Unit of, Call.Callback caller) {
        return command("an acquire for a place", caller, () -> {
            long answer = acquire(owner(claim), claim.tenure(), claim.count());
            if (answer >= 0 || !wire.hasSubscribed(grantChannel.get())) {
                return one(answer);
            }
            boolean isOpened = line.isEmpty();
            Waiter asks = new Waiter(owner(claim), claim.tenure());
            line.merge(
                    place(asks.owner(), of), asks, (known, newer) -> known.tenure() > newer.tenure() ? known : newer);
            if (isOpened && of == Unit.OWNER) {
                toLine.accept("opened " + micros.getAsLong());
            }
            long before = List.copyOf(line.keySet()).indexOf(place(asks.owner(), of));
            return new long[] {answer, before, micros.getAsLong()};
        });
    }
}

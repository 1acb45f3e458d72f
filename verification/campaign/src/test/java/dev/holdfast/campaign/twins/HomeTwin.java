package dev.holdfast.campaign.twins;

import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Event.Announced;
import dev.holdfast.campaign.history.Event.Called;
import dev.holdfast.campaign.history.Event.Returned;
import dev.holdfast.campaign.history.Event.SeenLost;
import dev.holdfast.campaign.history.Loss;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.ReportChannel;
import dev.holdfast.campaign.history.What;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The use of one twin lock by one client, whose owners have it one after the other, with leases that are not renewed.
 * The lock can get another home. A waiter attempts again and again. Used by one thread at a time, but {@link #moveTo}
 * can be called by another one. The operations are recorded in the client's journal.
 */
final class HomeTwin implements AutoCloseable {
    static final Duration LEASE = Duration.ofMillis(4600);
    static final Duration DRIFT = Duration.ofMillis(15);

    private static final Duration NEVER = Duration.ofSeconds(7);
    private static final Duration INTERVAL = Duration.ofMillis(5);
    private static final Duration REPLICATED = Duration.ofMillis(300);

    private final TwinClient client;
    private final HomeMake make;
    private final String lock;
    private final Duration lease;
    private final boolean replicated;
    private final TwinHome first;
    private volatile TwinHome home;
    /** The number of the present hold, or of the last one; each hold has an owner of its own. */
    private volatile long tenure;
    /** Whether the last hold was released, and whether it was handed off by the one before it. */
    private volatile boolean released;

    private volatile boolean handedOff;
    private volatile @Nullable Op held;
    private volatile long validUntil;
    private volatile boolean asked;
    private volatile boolean answered;

    /** @param replicated whether a grant counts only when a replica has it */
    HomeTwin(TwinClient client, HomeMake make, String lock, Duration lease, boolean replicated, String uri) {
        this.client = client;
        this.make = make;
        this.lock = lock;
        this.lease = lease;
        this.replicated = replicated;
        this.first = new TwinHome(client.redis(), uri);
        this.home = first;
    }

    /** {@return whether the last acquisition is about to send its first attempt, or has sent it} */
    boolean hasAsked() {
        return asked;
    }

    /** {@return whether the first attempt of the last acquisition has a reply} */
    boolean isAnswered() {
        return answered;
    }

    /**
     * Waits for the lock.
     *
     * @return empty if the lock was never granted: the call is then recorded as one that did not return; or if the grant
     *     was not replicated, and so given back
     */
    Optional<Op> acquire() {
        long number = tenure + 1;
        tenure = number;
        Op op = called(What.LOCK, number);
        long end = System.nanoTime() + NEVER.toNanos();
        while (System.nanoTime() < end) {
            TwinHome at = home;
            long sent = System.nanoTime();
            asked = true;
            boolean granted = at.eval(
                    make.acquire(),
                    List.of(lock, "tokens:" + lock),
                    owner(number),
                    Long.toString(number),
                    "1",
                    Long.toString(lease.toMillis()));
            answered = true;
            if (granted && replicated && !make.suffices(make.awaitReplica(at, REPLICATED))) {
                release(at);
                returned(op, Outcome.FAILED);
                return Optional.empty();
            }
            if (granted && make.believes(at == home)) {
                return Optional.of(granted(op, sent));
            }
            LockSupport.parkNanos(INTERVAL.toNanos());
        }
        return Optional.empty();
    }

    /** Releases the lock by passing it on to another owner, which waits for it. */
    Op handOff() {
        long present = tenure;
        long following = present + 1;
        Op next = called(What.LOCK, following);
        Op op = called(What.UNLOCK, present);
        long sent = System.nanoTime();
        boolean was = passOn(home, present, following);
        tenure = following;
        handedOff = true;
        returned(op, was ? Outcome.RELEASED : Outcome.LOST);
        return granted(next, sent);
    }

    private boolean passOn(TwinHome at, long from, long to) {
        return at.eval(
                make.handOff(),
                List.of(lock),
                owner(from),
                Long.toString(from),
                owner(to),
                Long.toString(to),
                Long.toString(lease.toMillis()));
    }

    private Op granted(Op op, long sent) {
        held = op;
        released = false;
        validUntil = sent + lease.minus(DRIFT).toNanos();
        returned(op, Outcome.GRANTED);
        return op;
    }

    /** Works while it holds the lock, until the condition is true or the hold is invalid. */
    void work(Op op, BooleanSupplier done) {
        client.work(op, () -> validUntil, done);
    }

    void work(Op op, Duration time) {
        long end = System.nanoTime() + time.toNanos();
        work(op, () -> System.nanoTime() >= end);
    }

    /** Releases the lock, unless the hold is known to be lost. */
    void release() {
        if (held == null) {
            return;
        }
        Op op = called(What.UNLOCK, tenure);
        boolean was = release(home);
        held = null;
        released = true;
        returned(op, was ? Outcome.RELEASED : Outcome.LOST);
    }

    private boolean release(TwinHome at) {
        return at.eval(make.release(), List.of(lock), owner(tenure), Long.toString(tenure), "0", "channel:" + lock);
    }

    /** The lock has another home: what the former one had acknowledged is repeated there, and the hold is verified. */
    void moveTo(String uri) {
        TwinHome next = new TwinHome(client.redis(), uri);
        if (handedOff && make.repeatsHandoffs()) {
            passOn(next, tenure - 1, tenure);
        }
        if (released && make.repeatsReleases()) {
            release(next);
        }
        Op verified = held;
        if (verified != null && make.verifies() && !next.has(lock, owner(tenure), tenure)) {
            validUntil = System.nanoTime();
            held = null;
            client.record(new SeenLost(System.nanoTime(), verified));
            client.record(new Announced(System.nanoTime(), verified, ReportChannel.LISTENER, Loss.FAILOVER));
        }
        home = next;
    }

    private String owner(long number) {
        return client.name() + ":" + number;
    }

    private Op called(What what, long number) {
        Op op = client.nextOp();
        boolean waits = what == What.LOCK;
        client.record(new Called(
                System.nanoTime(),
                op,
                what,
                By.BLOCKING,
                lock,
                false,
                owner(number),
                waits ? -1 : 0,
                waits ? lease.toMillis() : 0));
        return op;
    }

    private void returned(Op op, Outcome outcome) {
        int holds = outcome == Outcome.GRANTED ? 1 : 0;
        Loss loss = outcome == Outcome.LOST ? Loss.FAILOVER : Loss.NONE;
        client.record(new Returned(System.nanoTime(), op, outcome, 0, holds, loss));
    }

    @Override
    public void close() {
        first.close();
        home.close();
    }
}

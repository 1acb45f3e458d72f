package dev.holdfast.fault;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.Turn;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A lock that one owner of a client holds and other owners of it wait for, to be handed off from one to the next. The
 * client is the only one behind the proxy, and the lock has not been used before.
 */
public final class HandoffScene {
    private static final AtomicInteger WARM_UPS = new AtomicInteger();

    /** A machine does not pause for longer than a turn this often in a row. */
    private static final int MOST_WARM_UPS = 20;

    /** How to request the lock. */
    private interface Request {
        CompletableFuture<Lease> of(DistributedLock lock);
    }

    private final FaultyRedis faulty;
    private final String name;
    private final Deque<CompletableFuture<Lease>> waiting = new ArrayDeque<>();
    private final Turn turn = Turn.begin();
    private final DistributedLock lock;
    private Lease owner;

    private HandoffScene(FaultyRedis faulty, Holdfast client, String name, int waiters, Request request) {
        this.faulty = faulty;
        this.name = name;
        lock = client.getLock(name);
        owner = lock.acquire();
        if (waiters == 0) {
            return;
        }
        long before = faulty.proxy().commands("EVALSHA");
        waiting.add(request.of(lock));
        faulty.awaitReadyWaiter(client, before);
        // The effects of a reply are complete when the next reply is read.
        get(lock.isLockedAsync());
        while (waiting.size() < waiters) {
            waiting.add(request.of(lock));
        }
    }

    /** {@return a scene without a handoff on its connection so far} */
    public static HandoffScene cold(FaultyRedis faulty, Holdfast client, String name, int waiters) {
        return new HandoffScene(faulty, client, name, waiters, DistributedLock::acquireAsync);
    }

    /** {@return a scene whose next owners start when the handoff is written, since one has been answered before} */
    public static HandoffScene warm(FaultyRedis faulty, Holdfast client, String name, int waiters) {
        warmUp(faulty, client);
        return cold(faulty, client, name, waiters);
    }

    /** {@return the same with explicit leases, except for the present owner's} */
    public static HandoffScene warm(FaultyRedis faulty, Holdfast client, String name, int waiters, Duration lease) {
        warmUp(faulty, client);
        return new HandoffScene(faulty, client, name, waiters, lock -> lock.acquireAsync(lease));
    }

    /** Hands some lock off; if the machine pauses longer than a turn, which ends it with a release, another one. */
    private static void warmUp(FaultyRedis faulty, Holdfast client) {
        long handoffs = client.stats().handoffs();
        for (int i = 0; i < MOST_WARM_UPS && client.stats().handoffs() == handoffs; i++) {
            HandoffScene before = cold(faulty, client, "warm-up " + WARM_UPS.incrementAndGet(), 1);
            CompletableFuture<?> release = before.owner().releaseAsync();
            before.nextOwner().close();
            get(release);
        }
        assertThat(client.stats().handoffs()).as("handoffs").isGreaterThan(handoffs);
    }

    /** {@return the lease of the present owner, as far as its client knows} */
    public Lease owner() {
        return owner;
    }

    /** {@return the first waiter} */
    public CompletableFuture<Lease> next() {
        return waiting.element();
    }

    /** {@return all waiters in order} */
    public List<CompletableFuture<Lease>> waiting() {
        return List.copyOf(waiting);
    }

    /**
     * Makes the owner release, and returns when the next one has the lock. If the machine paused for as long as a turn
     * lasts, the lock is released instead and nothing can be said about handoffs: the test is aborted.
     *
     * @return the outcome of the release
     */
    @SuppressWarnings("NullAway") // JDK 17 reads no annotations of type arguments from class files
    public CompletableFuture<@Nullable Void> handOff() {
        CompletableFuture<@Nullable Void> release = owner.releaseAsync();
        CompletableFuture<Lease> next = waiting.remove();
        turn.assumeNotOverUnless(next.isDone());
        owner = get(next);
        return release;
    }

    /** Aborts the test if the machine paused for as long as a turn lasts: the lock may have been released instead. */
    public void assumeWithinTurn() {
        turn.assumeNotOver();
    }

    /** Waits for a state that handoffs lead to within a turn; the test is aborted if the machine paused for that long. */
    public void awaitWithinTurn(BooleanSupplier reached) {
        eventually(() -> reached.getAsBoolean() || turn.isOver());
        turn.assumeNotOverUnless(reached.getAsBoolean());
    }

    /** {@return the owner in Redis, in the form of {@link #owner}'s {@code toString()}; empty if the lock is free} */
    public String inRedis() {
        if (!(faulty.server().command("HGETALL", name) instanceof List<?> all) || all.isEmpty()) {
            return "";
        }
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < all.size(); i += 2) {
            String field = all.get(i).toString();
            if (!field.startsWith("line") && !field.endsWith(":line")) {
                fields.add(field);
                fields.add(all.get(i + 1).toString());
            }
        }
        assertThat(fields).as("fields and values of one owner").hasSize(4);
        int count = fields.get(0).endsWith(":tenure") ? 2 : 0;
        return "lock '" + name + "' of owner " + fields.get(count) + " (tenure " + fields.get(3 - count) + ")";
    }

    /** {@return the owner's field in the commands that are about it} */
    public String ownerField() {
        return owner.toString().replaceAll(".* of owner (\\S+) .*", "$1");
    }

    /**
     * Makes the client send Redis the handoffs that it has not sent yet, since it does so before any other command about
     * the lock.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the reply may be lost
    public void commit() {
        lock.isLockedAsync();
    }

    /** Has the client send Redis the handoffs so far, and waits until Redis has executed the commands about the owner. */
    public void awaitOwnerInRedis() {
        commit();
        eventually(() -> inRedis().equals(owner.toString()));
    }

    /**
     * Lets all remaining waiters acquire and release. After a new subscription the first one may be overtaken, because
     * it makes an attempt of its own.
     */
    public void finish() {
        while (!waiting.isEmpty()) {
            CompletableFuture<?> release = owner.releaseAsync();
            owner = nextOwner();
            get(release);
        }
        owner.close();
    }

    private Lease nextOwner() {
        get(CompletableFuture.anyOf(waiting.toArray(CompletableFuture[]::new)));
        List<CompletableFuture<Lease>> granted =
                waiting.stream().filter(CompletableFuture::isDone).toList();
        assertThat(granted).as("owners of the lock").hasSize(1);
        CompletableFuture<Lease> next = granted.get(0);
        waiting.removeIf(each -> each == next);
        return get(next);
    }
}

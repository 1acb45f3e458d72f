package dev.holdfast.fault.line;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.FencedLock;
import dev.holdfast.Guarded;
import dev.holdfast.Holdfast;
import dev.holdfast.Inside;
import dev.holdfast.Lease;
import dev.holdfast.LockKinds;
import dev.holdfast.OwnedLock;
import dev.holdfast.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several clients wait for one lock: each release grants it to the first in line, at the cost of few commands. */
@Tag("fault")
final class GrantTest {
    private static final String NAME = LineScene.NAME;

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final LineScene line = new LineScene(faulty);

    /** Clients get the lock in the order in which they began to wait. */
    @ParameterizedTest
    @EnumSource(LockKinds.class)
    void clients_areServedInOrder(LockKinds kind) {
        DistributedLock holders = kind.lock(faulty.bystander(), NAME);
        Lease held = holders.acquire();
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int place = 1; place <= 4; place++) {
            int clients = place;
            waiting.add(kind.lock(faulty.bystander(), NAME).acquireAsync());
            eventually(() -> holders.inspect().clientsInLine() == clients);
        }

        held.close();
        for (int first = 0; first < waiting.size(); first++) {
            Lease lease = get(waiting.get(first));
            assertThat(waiting.subList(first + 1, waiting.size())).noneMatch(CompletableFuture::isDone);
            lease.close();
        }
        assertThat(faulty.keys()).isEmpty();
    }

    /** The tokens of a fenced lock grow in the order of the grants. */
    @Test
    void tokens_growInOrder() {
        FencedLock first = faulty.bystander().getFencedLock(NAME);
        Lease held = first.acquire();
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int place = 1; place <= 3; place++) {
            waiting.add(line.join(faulty.bystander().getFencedLock(NAME), place));
        }
        List<Long> tokens = new ArrayList<>(List.of(held.token()));

        held.close();
        for (CompletableFuture<Lease> next : waiting) {
            Lease lease = get(next);
            tokens.add(lease.token());
            lease.close();
        }

        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    /** Owners of one client alone begin no line: they contend as if there were no others. */
    @Test
    void oneClient_joinsNoLine() {
        Holdfast client = faulty.client();
        long before = faulty.proxy().commands("SUBSCRIBE");
        Lease held = client.getLock(NAME).acquire();
        List<CompletableFuture<Lease>> waiting = Stream.generate(
                        () -> client.getLock(NAME).acquireAsync())
                .limit(3)
                .toList();
        faulty.awaitWaiting(client, 3);

        assertThat(client.getLock(NAME).inspect().clientsInLine()).isZero();
        held.close();
        waiting.stream()
                .map(next -> next.thenCompose(Lease::releaseAsync))
                .toList()
                .forEach(FaultyRedis::get);
        assertThat(faulty.proxy().commands("SUBSCRIBE")).isEqualTo(before + 1);
    }

    /**
     * Two scripts for each acquisition, however many clients contend, but for the first ones; every release would wake
     * all of them.
     */
    @ParameterizedTest
    @EnumSource(LockKinds.class)
    void crowd_costsTwoScriptsEach(LockKinds kind) {
        int clients = 12;
        int turns = 20;
        Guarded guarded = new Guarded();
        List<DistributedLock> locks = Stream.generate(() -> kind.lock(faulty.bystander(), NAME))
                .limit(clients)
                .toList();
        List<CompletableFuture<?>> ends = new ArrayList<>();
        for (DistributedLock lock : locks) {
            ends.add(FaultyRedis.elsewhere(() -> {
                for (int i = 0; i < turns; i++) {
                    lock.lock();
                    try {
                        guarded.enter();
                    } finally {
                        lock.unlock();
                    }
                }
                return true;
            }));
        }

        ends.forEach(FaultyRedis::get);

        guarded.assertEntered(clients * turns);
        assertThat(line.evaluations()).isLessThan(5L * clients * turns / 2);
    }

    /** Clients that wait for longer than a command timeout, and are served in turn, send nothing meanwhile. */
    @Test
    void crowd_waitsInSilence() {
        int clients = 10;
        int turns = 2;
        List<CompletableFuture<?>> ends = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            ends.add(holdInTurn(line.brisk().getLock(NAME), turns));
        }

        ends.forEach(end -> get(end, FaultyRedis.TIMEOUT.multipliedBy(2)));

        assertThat(line.evaluations()).isLessThan(4L * clients * turns);
    }

    private static CompletableFuture<?> holdInTurn(DistributedLock lock, int turns) {
        Executor aWhileLater = CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS);
        return turns == 0
                ? CompletableFuture.completedFuture(turns)
                : lock.acquireAsync()
                        .thenApplyAsync(Function.identity(), aWhileLater)
                        .thenCompose(Lease::releaseAsync)
                        .thenCompose(done -> holdInTurn(lock, turns - 1));
    }

    /** A caller that gives up while it is in line leaves it, and is not granted the lock. */
    @Test
    void leaver_givesUpItsPlace() {
        Lease held = line.holders().acquire();
        CompletableFuture<Lease> leaver = line.join(line.cautious().getLock(NAME), 1);
        CompletableFuture<Lease> next = line.join(faulty.bystander().getLock(NAME), 2);

        leaver.cancel(false);
        line.awaitInLine(1);
        held.close();

        get(next).close();
    }

    /** The next waiter of a client takes over the place of one that gives up. */
    @Test
    void leaver_leavesItsPlaceToItsClient() {
        Lease held = line.holders().acquire();
        Holdfast client = line.cautious();
        CompletableFuture<Lease> leaver = line.join(client.getLock(NAME), 1);
        CompletableFuture<Lease> heir = client.getLock(NAME).acquireAsync();
        faulty.awaitWaiting(client, 2);
        CompletableFuture<Lease> next = line.join(faulty.bystander().getLock(NAME), 2);

        long before = line.evaluations();
        leaver.cancel(false);
        eventually(() -> line.evaluations() >= before + 2);
        line.awaitInLine(2);
        held.close();

        Lease first = get(heir);
        assertThat(next).isNotDone();
        first.close();
        get(next).close();
    }

    /** An owner that has left the line may use the lock as the kind that it used before. */
    @Test
    void leaver_keepsItsKind() {
        Holdfast client = faulty.client();
        Lease held = line.holders().acquire();
        CompletableFuture<Lease> plain = line.join(client.getLock(NAME), 1);
        OwnedLock fenced = client.getFencedLock(NAME).ownedBy(client.newOwnerId());
        CompletableFuture<?> waiting = fenced.lockAsync();
        faulty.awaitWaiting(client, 2);
        long before = line.evaluations();
        plain.cancel(false);
        eventually(() -> line.evaluations() >= before + 2);
        line.awaitInLine(1);

        waiting.cancel(false);
        CompletableFuture<Boolean> again = fenced.tryLockAsync();

        assertThat(get(again)).isFalse();
        held.close();
    }

    /**
     * A client whose owners had the lock among themselves joins the line when another client has got it, although its
     * channels are confirmed from a time before.
     */
    @Test
    void lingeringChannels_joinAgain() {
        Holdfast client = faulty.client();
        DistributedLock lock = client.getLock(NAME);
        Lease before = line.holders().acquire();
        CompletableFuture<Lease> first = line.join(lock, 1);
        before.close();
        get(first).close();
        eventually(() -> faulty.keys().isEmpty() && Inside.residue(client).matches("\\{channels=3}"));

        Holdfast bystander = faulty.bystander();
        Lease held = lock.acquire();
        Turn turn = Turn.begin();
        CompletableFuture<Lease> second = lock.acquireAsync();
        faulty.awaitWaiting(client, 1);
        CompletableFuture<Lease> other = line.join(bystander.getLock(NAME), 1);
        eventually(() -> !Inside.residue(client).contains("calls in flight"));
        CompletableFuture<?> handedOff = held.releaseAsync();
        turn.assumeNotOverUnless(second.isDone());
        get(handedOff);
        CompletableFuture<?> released = get(second).releaseAsync();
        CompletableFuture<Lease> third = lock.acquireAsync();

        get(released);
        Lease others = get(other);
        line.awaitInLine(1);
        others.close();
        get(third).close();
    }

    /** An explicit lease is granted as it was requested, whether it is shorter or longer than a claim. */
    @ParameterizedTest
    @ValueSource(ints = {4_000, 20_000})
    void explicitLease_isKept(int millis) {
        Duration lease = Duration.ofMillis(millis);
        Lease held = line.holders().acquire();
        Holdfast client = faulty.client(builder -> builder.commandTimeout(Duration.ofSeconds(10)));
        CompletableFuture<Lease> waiting = client.getLock(NAME).acquireAsync(lease);
        line.awaitInLine(1);

        held.close();

        Lease granted = get(waiting);
        assertThat(granted.remaining()).isLessThanOrEqualTo(lease).isGreaterThan(lease.dividedBy(4));
        granted.close();
    }

    /** A hold that a grant began is renewed like any other. */
    @Test
    void grantedHold_isRenewed() throws InterruptedException {
        Lease held = line.holders().acquire();
        CompletableFuture<Lease> waiting = line.join(line.cautious().getLock(NAME), 1);
        held.close();
        Lease granted = get(waiting);

        eventually(() -> granted.remaining().compareTo(LineScene.CLAIM) > 0);

        granted.close();
    }
}

package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.testkit.SemaphoreClient.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The contract of semaphores, wherever they are stored: no more permits are held than there are, over all clients; all that wait have
 * their turn, in order; permits are free once their lease has ended, and never twice; and nothing is left behind. To run it, extend
 * it, as {@link LockContract}.
 *
 * <p>It requires what a fair {@link java.util.concurrent.Semaphore} does, but for a release by a caller without permits; and that
 * nobody passes the line, that each request names the limit, and that each grant has a number below it.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@Execution(ExecutionMode.SAME_THREAD)
public abstract class SemaphoreContract {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration BRIEF = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofMinutes(1);

    /** The permits of the semaphore of each test. */
    private static final int LIMIT = 4;

    private final String name = Stage.newName();
    private SemaphoreFixture fixture;
    private SemaphoreClient first;
    private SemaphoreClient second;

    /** For subclasses. */
    protected SemaphoreContract() {}

    /** {@return a new fixture; called once for each test} */
    protected abstract SemaphoreFixture newFixture();

    /** The time limit for an event that must happen; less than the lease of permits that are renewed, as in {@link LockContract}. */
    protected Duration timeout() {
        return TIMEOUT;
    }

    /** {@return whether those that wait are served in their order here, and passed by nobody} */
    protected boolean hasLine() {
        return true;
    }

    @BeforeEach
    final void openFixture() {
        fixture = newFixture();
        first = fixture.newClient();
        second = fixture.newClient();
    }

    /** After every test, nothing of its semaphore is left, once what it holds was released. */
    @AfterEach
    final void closeFixture() {
        try {
            Stage.awaitNothingLeft(timeout(), Stream.of(first::residue, second::residue, fixture::residue));
        } finally {
            first.close();
            second.close();
            fixture.close();
        }
    }

    private void until(Runnable assertion) {
        Stage.await(timeout()).untilAsserted(assertion::run);
    }

    private <T> T outcomeOf(CompletableFuture<T> call) {
        assertThat(call).succeedsWithin(timeout());
        return call.join();
    }

    private Grant granted(CompletableFuture<Optional<Grant>> call) {
        Optional<Grant> outcome = outcomeOf(call);
        assertThat(outcome).as("permits").isPresent();
        return outcome.orElseThrow();
    }

    /** {@return permits that are granted without a wait} */
    private Grant takes(SemaphoreClient client, int permits) {
        return granted(client.acquire(name, LIMIT, permits, Duration.ZERO));
    }

    private void assertRefused(SemaphoreClient client, int permits) {
        assertThat(outcomeOf(client.acquire(name, LIMIT, permits, Duration.ZERO)))
                .as("permits, of which too few should be free")
                .isEmpty();
    }

    /** {@return the future of a call that waits, behind so many of the same client} */
    private CompletableFuture<Optional<Grant>> waits(SemaphoreClient client, int permits, int before) {
        CompletableFuture<Optional<Grant>> waiting = client.acquire(name, LIMIT, permits, LONG);
        awaitWaiters(client, before + 1);
        return waiting;
    }

    private void awaitWaiters(SemaphoreClient client, int callers) {
        until(() -> assertThat(client.isAwaited(name, callers))
                .as("whether %s wait", callers)
                .isTrue());
    }

    private void releases(Grant grant) {
        assertThat(grant.release()).succeedsWithin(timeout());
    }

    /** Releases what may not be held any more. */
    private void releasesLate(Grant grant) {
        CompletableFuture<?> release = grant.release();
        until(() -> assertThat(release).isDone());
    }

    private void assertAvailable(int permits) {
        for (SemaphoreClient client : List.of(first, second)) {
            assertThat(client.available(name, LIMIT)).succeedsWithin(timeout()).isEqualTo(permits);
        }
    }

    /** As many are granted as there are, over all clients, and another one when one is released. */
    @Test
    final void limit_overAllClients() {
        List<Grant> all = Stream.of(first, second, first, second)
                .map(client -> takes(client, 1))
                .toList();
        for (int free = 0; free < all.size(); free++) {
            assertAvailable(free);
            assertRefused(first, free + 1);
            assertRefused(second, free + 1);
            releases(all.get(free));
        }
        releases(takes(second, LIMIT));
    }

    /** Permits that are requested together are granted and released together. */
    @Test
    final void permits_areOneGrant() {
        Grant three = takes(first, 3);
        assertRefused(second, 2);
        assertAvailable(1);
        Grant one = takes(second, 1);
        releases(three);
        assertAvailable(3);
        releases(takes(second, 3));
        releases(one);
    }

    /** Each grant has a number below the limit that no other one has. */
    @Test
    final void number_isDistinct() {
        List<Grant> all = new ArrayList<>();
        for (SemaphoreClient client : List.of(first, second, first, second)) {
            all.add(takes(client, 1));
        }
        for (int i = 0; i < LIMIT; i++) {
            assertThat(all).extracting(Grant::number).containsExactlyInAnyOrder(0, 1, 2, 3);
            releases(all.remove(1));
            all.add(takes(first, 1));
        }
        all.forEach(this::releases);
    }

    /** Clients that wait are served in the order in which they have come. */
    @Test
    final void release_servesClientsInOrder() {
        assumeTrue(hasLine(), "without a line");
        for (List<SemaphoreClient> order : List.of(List.of(first, second), List.of(second, first))) {
            Grant all = takes(first, LIMIT);
            CompletableFuture<Optional<Grant>> before = waits(order.get(0), LIMIT, 0);
            CompletableFuture<Optional<Grant>> behind = waits(order.get(1), LIMIT, 0);
            releases(all);
            Grant next = granted(before);
            assertThat(behind).isNotDone();
            releases(next);
            releases(granted(behind));
        }
    }

    /** So are the callers of one client. */
    @Test
    final void release_servesCallersInOrder() {
        Grant all = takes(first, LIMIT);
        List<CompletableFuture<Optional<Grant>>> waiting = IntStream.range(0, 3)
                .mapToObj(before -> waits(second, LIMIT, before))
                .toList();
        releases(all);
        for (CompletableFuture<Optional<Grant>> next : waiting) {
            Grant granted = granted(next);
            assertThat(waiting).filteredOn(CompletableFuture::isDone).endsWith(next);
            releases(granted);
        }
    }

    /** Nobody passes a request that waits, although some permits are free, which are too few for it. */
    @Test
    final void line_isNotPassed() {
        assumeTrue(hasLine(), "without a line");
        Grant one = takes(first, 1);
        CompletableFuture<Optional<Grant>> all = waits(second, LIMIT, 0);
        assertRefused(first, 1);
        assertRefused(second, 1);
        assertThat(outcomeOf(first.acquire(name, LIMIT, 1, BRIEF))).isEmpty();
        assertAvailable(LIMIT - 1);
        releases(one);
        releases(granted(all));
    }

    /** A request that waits no longer holds up nobody. */
    @Test
    final void line_isLeft() {
        assumeTrue(hasLine(), "without a line");
        Grant one = takes(first, 1);
        CompletableFuture<Optional<Grant>> leaves = waits(second, LIMIT, 0);
        CompletableFuture<Optional<Grant>> behind = waits(second, 1, 1);
        CompletableFuture<Optional<Grant>> other = waits(first, 1, 0);
        assertThat(leaves.cancel(false)).isTrue();
        releases(granted(behind));
        releases(granted(other));
        releases(one);
    }

    /** One release serves as many as fit, of all clients. */
    @Test
    final void release_servesAllThatFit() {
        Grant all = takes(first, LIMIT);
        List<CompletableFuture<Optional<Grant>>> waiting = Stream.of(first, second)
                .flatMap(client -> IntStream.range(0, 2).mapToObj(before -> waits(client, 1, before)))
                .toList();
        releases(all);
        List<Grant> served = waiting.stream().map(this::granted).toList();
        assertThat(served).extracting(Grant::number).containsExactlyInAnyOrder(0, 1, 2, 3);
        served.forEach(this::releases);
    }

    /** Callers that compete never hold more than there are, and all have their turns. */
    @Test
    final void competition_isLimited() {
        AtomicInteger held = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<CompletableFuture<?>> callers = new ArrayList<>();
        for (int permits = 1; permits <= LIMIT; permits++) {
            for (SemaphoreClient client : List.of(first, second)) {
                callers.add(takesTurns(5, client, permits, held, most));
            }
        }
        callers.forEach(this::outcomeOf);
        assertThat(most).hasValueLessThanOrEqualTo(LIMIT);
        assertThat(held).hasValue(0);
    }

    private CompletableFuture<?> takesTurns(
            int turns, SemaphoreClient client, int permits, AtomicInteger held, AtomicInteger most) {
        Executor later = CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS);
        CompletableFuture<?> turn = client.acquire(name, LIMIT, permits, LONG).thenCompose(granted -> {
            most.accumulateAndGet(held.addAndGet(permits), Math::max);
            return CompletableFuture.supplyAsync(() -> held.addAndGet(-permits), later)
                    .thenCompose(left -> granted.orElseThrow().release());
        });
        return turns == 1 ? turn : turn.thenCompose(done -> takesTurns(turns - 1, client, permits, held, most));
    }

    /** A wait ends with its time, and not before; its caller has no permits, and will have none. */
    @Test
    final void wait_ends() {
        Grant all = takes(first, LIMIT);
        CompletableFuture<Optional<Grant>> stays = waits(second, 1, 0);
        for (SemaphoreClient client : List.of(first, second)) {
            long begun = System.nanoTime();
            assertThat(outcomeOf(client.acquire(name, LIMIT, 1, BRIEF))).isEmpty();
            assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(BRIEF.toNanos());
        }
        awaitWaiters(first, 0);
        releases(all);
        Grant one = granted(stays);
        assertAvailable(LIMIT - 1);
        releases(one);
    }

    /** An interrupt ends the wait of its thread, which has no permits, and will have none. */
    @Test
    final void interrupt_endsAWait() {
        Grant all = takes(first, LIMIT);
        CompletableFuture<Grant> waiting = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                waiting.complete(second.acquireInterruptibly(name, LIMIT, 1));
            } catch (Throwable failure) {
                waiting.completeExceptionally(failure);
            }
        });
        thread.setDaemon(true);
        thread.start();
        awaitWaiters(second, 1);
        thread.interrupt();
        assertThat(waiting)
                .failsWithin(timeout())
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(InterruptedException.class);
        awaitWaiters(second, 0);
        releases(all);
        assertAvailable(LIMIT);
    }

    /** Each request counts what all hold against the limit that it names itself. */
    @Test
    final void limits_differ() {
        Grant many = granted(first.acquire(name, 10, 5, Duration.ZERO));
        assertRefused(second, 1);
        assertAvailable(0);
        Grant more = granted(first.acquire(name, 10, 3, Duration.ZERO));
        CompletableFuture<Optional<Grant>> few = waits(second, 1, 0);
        releases(many);
        Grant one = granted(few);
        assertThat(one.number()).isLessThan(LIMIT);
        assertAvailable(0);
        releases(one);
        releases(more);
    }

    /** A lease ends by itself, and its permits go to those that wait. */
    @Test
    final void lease_ends() {
        Grant brief = granted(first.acquire(name, LIMIT, LIMIT, Duration.ZERO, BRIEF));
        Grant next = granted(second.acquire(name, LIMIT, LIMIT, LONG));
        assertThat(brief.isHeld()).isFalse();
        assertThat(next.isHeld()).isTrue();
        releases(next);
        releasesLate(brief);
    }

    /** Permits are not free before their lease ends, or without one until they are released. */
    @Test
    final void lease_keepsPermits() {
        Grant leased = granted(first.acquire(name, LIMIT, 1, Duration.ZERO, LONG));
        Grant kept = takes(second, LIMIT - 1);
        assertThat(outcomeOf(second.acquire(name, LIMIT, 1, BRIEF))).isEmpty();
        assertThat(List.of(leased, kept)).allMatch(Grant::isHeld);
        releases(leased);
        assertAvailable(1);
        releases(kept);
    }

    /** A release after the lease has ended, or a second one, frees nothing that others hold. */
    @Test
    final void release_late() {
        Grant brief = granted(first.acquire(name, LIMIT, 1, Duration.ZERO, BRIEF));
        Grant twice = takes(first, LIMIT - 1);
        releases(twice);
        Grant all = granted(second.acquire(name, LIMIT, LIMIT, LONG));
        for (Grant late : List.of(brief, twice, brief)) {
            releasesLate(late);
            assertAvailable(0);
            assertRefused(first, 1);
        }
        releases(all);
    }
}

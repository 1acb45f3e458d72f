package dev.holdfast.fault.permits;

import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CapturedWarnings;
import dev.holdfast.DistributedSemaphore;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Permits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many callers of several clients acquire permits at the same time: never more than there are are held, and each has its turn. */
@Tag("fault")
@Tag("slow")
final class PermitsRaceTest {
    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final PermitsScene scene = new PermitsScene(faulty);
    private final AtomicInteger inUse = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    /** Threads that acquire permits of one client and release them, without pause, until they are stopped. */
    private final class Fleet {
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final AtomicInteger turns = new AtomicInteger();
        private final List<CompletableFuture<?>> ends = new ArrayList<>();

        Fleet(DistributedSemaphore semaphore, int permits, int threads) {
            for (int i = 0; i < threads; i++) {
                ends.add(elsewhere(() -> {
                    while (!stopped.get()) {
                        try (Permits granted = semaphore.acquire(permits)) {
                            use(granted);
                            turns.incrementAndGet();
                        }
                    }
                    return null;
                }));
            }
        }

        void awaitTurns(int more) {
            int before = turns.get();
            eventually(() -> turns.get() >= before + more);
        }

        void stop() {
            stopped.set(true);
            ends.forEach(end -> get(end));
        }
    }

    /** Works with these permits for a moment. */
    private void use(Permits granted) {
        most.accumulateAndGet(inUse.addAndGet(granted.permits()), Math::max);
        LockSupport.parkNanos(100_000);
        inUse.addAndGet(-granted.permits());
    }

    /**
     * While versions with two numbers of permits run, no more are held than the larger one, and both have their turns. When the old one
     * is gone, the new number alone counts. Each client warns once.
     */
    @ParameterizedTest
    @CsvSource({"4, 10", "10, 4"})
    void deployment_ofAnotherLimit(int before, int after) {
        List<String> warnings;
        try (CapturedWarnings captured = new CapturedWarnings()) {
            Fleet old = new Fleet(scene.others(before), 1, 12);
            old.awaitTurns(100);
            assertThat(most).hasValueLessThanOrEqualTo(before);
            Fleet next = new Fleet(scene.others(after), 1, 12);
            next.awaitTurns(100);
            old.awaitTurns(100);
            assertThat(most).hasValueLessThanOrEqualTo(Math.max(before, after));
            old.stop();
            eventually(() -> inUse.get() <= after);
            most.set(0);
            next.awaitTurns(100);
            assertThat(most).hasValueBetween(2, after);
            next.stop();
            Permits all = scene.others(after).acquire(after);
            assertThat(scene.others(after).tryAcquire()).isEmpty();
            all.close();
            warnings = captured.text()
                    .lines()
                    .filter(line -> line.contains(" WARN "))
                    .toList();
        }
        assertThat(warnings).hasSize(2).allMatch(line -> line.contains("up to 10 are granted"));
    }

    /** A client that wants all permits has its turn in each round, although others take single ones without pause, and some only try. */
    @Test
    void largeRequest_hasItsTurn() {
        int clients = 7;
        List<Fleet> small = IntStream.range(0, clients)
                .mapToObj(i -> new Fleet(scene.others(4), 1, 2))
                .toList();
        AtomicBoolean stopped = new AtomicBoolean();
        DistributedSemaphore polled = scene.others(4);
        CompletableFuture<?> poller = elsewhere(() -> {
            while (!stopped.get()) {
                polled.tryAcquire().ifPresent(granted -> {
                    use(granted);
                    granted.close();
                });
            }
            return null;
        });
        DistributedSemaphore large = scene.others(4);
        for (int round = 0; round < 10; round++) {
            CompletableFuture<Permits> waiting = large.acquireAsync(4);
            eventually(
                    () -> waiting.isDone() || scene.seen().line().stream().anyMatch(request -> request.permits() == 4));
            int before = turns(small);

            Permits all = get(waiting, SOON);

            // Those that were in line before it, and those that had theirs.
            assertThat(turns(small) - before).isLessThanOrEqualTo(clients + 4 + clients);
            use(all);
            all.close();
        }
        stopped.set(true);
        small.forEach(Fleet::stop);
        get(poller);
        assertThat(most).hasValue(4);
    }

    private static int turns(List<Fleet> fleets) {
        return fleets.stream().mapToInt(fleet -> fleet.turns.get()).sum();
    }

    /** Callers leave by a timeout, an interrupt or a cancellation, and connections are cut: no permit is lost, none is held twice. */
    @Test
    void leavers_connectionsAreCut() {
        List<CompletableFuture<?>> ends = new ArrayList<>();
        AtomicBoolean stopped = new AtomicBoolean();
        AtomicInteger turns = new AtomicInteger();
        List<DistributedSemaphore> semaphores = List.of(scene.patient(3), scene.patient(3), scene.others(3));
        for (int i = 0; i < 12; i++) {
            DistributedSemaphore semaphore = semaphores.get(i % semaphores.size());
            Random random = new Random(i);
            int way = i % 4;
            ends.add(elsewhere(() -> {
                while (!stopped.get()) {
                    if (passes(semaphore, way, random)) {
                        turns.incrementAndGet();
                    }
                }
                return null;
            }));
        }
        for (int cut = 0; cut < 20; cut++) {
            int before = turns.get();
            eventually(() -> turns.get() >= before + 20);
            faulty.proxy().cutRst();
        }
        stopped.set(true);

        ends.forEach(end -> get(end));
        assertThat(most).hasValue(3);
        eventually(() -> scene.seen().holders().isEmpty());
        assertThat(scene.seen().line()).isEmpty();
        assertThat(faulty.events().lost()).isEmpty();
    }

    /** {@return whether permits were granted, used and released} */
    private boolean passes(DistributedSemaphore semaphore, int way, Random random) throws Exception {
        int permits = 1 + random.nextInt(3);
        try (Permits granted = acquired(semaphore, permits, way, random)) {
            use(granted);
            return true;
        } catch (CancellationException | InterruptedException | NoSuchElementException left) {
            return false;
        }
    }

    private static Permits acquired(DistributedSemaphore semaphore, int permits, int way, Random random)
            throws Exception {
        Duration soon = Duration.ofNanos(random.nextInt(3_000_000));
        return switch (way) {
            case 0 -> semaphore.tryAcquire(permits, soon).orElseThrow();
            case 1 -> cancelled(semaphore.acquireAsync(permits), soon).get();
            case 2 -> interrupted(semaphore, permits, soon);
            default -> semaphore.acquire(permits);
        };
    }

    /** {@return the future, which is cancelled soon} */
    private static <T> CompletableFuture<T> cancelled(CompletableFuture<T> wanted, Duration soon) {
        delayed(soon).execute(() -> wanted.cancel(true));
        return wanted;
    }

    /** Acquires while the thread is interrupted, and clears its flag. */
    private static Permits interrupted(DistributedSemaphore semaphore, int permits, Duration soon)
            throws InterruptedException {
        CompletableFuture<Void> interrupt =
                CompletableFuture.runAsync(Thread.currentThread()::interrupt, delayed(soon));
        Permits granted = semaphore.acquireInterruptibly(permits);
        interrupt.join();
        assertThat(Thread.interrupted()).isTrue();
        return granted;
    }

    private static Executor delayed(Duration time) {
        return CompletableFuture.delayedExecutor(time.toNanos(), TimeUnit.NANOSECONDS);
    }
}
